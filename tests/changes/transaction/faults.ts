import type { FileSystem, OpenFile } from "../../../src/changes/transaction/file-system.ts";
import { fileSystem } from "../../../src/changes/transaction/file-system.ts";

/** Is told of each effect before it happens; `half` does a write in part. It may throw or not return. */
export type Watcher = (effect: {
  readonly number: number;
  readonly name: string;
  readonly file: string;
  readonly half?: () => Promise<void>;
}) => Promise<void>;

/** The disk, with a watcher before every effect, numbered from 1. */
export function watchedDisk(watch: Watcher): FileSystem {
  let number = 0;
  const before = async (name: string, file: string, half?: () => Promise<void>): Promise<void> => {
    number += 1;
    await watch(half === undefined ? { number, name, file } : { number, name, file, half });
  };
  const watched = (opened: OpenFile, file: string): OpenFile => ({
    fd: opened.fd,
    stat: () => before("stat", file).then(() => opened.stat()),
    read: () => before("read", file).then(() => opened.read()),
    write: async (bytes) => {
      await before("write", file, () => opened.write(bytes.subarray(0, bytes.length / 2)));
      await opened.write(bytes);
    },
    chmod: (mode) => before("chmod", file).then(() => opened.chmod(mode)),
    chown: (uid, gid) => before("chown", file).then(() => opened.chown(uid, gid)),
    sync: () => before("sync", file).then(() => opened.sync()),
    // A close that fails has closed all the same.
    close: () => opened.close().then(() => before("close", file)),
  });
  return {
    descriptorFolder: fileSystem.descriptorFolder,
    open: async (file, flags, mode) => {
      await before("open", file);
      return watched(await fileSystem.open(file, flags, mode), file);
    },
    lstat: (file) => before("lstat", file).then(() => fileSystem.lstat(file)),
    readlink: (file) => before("readlink", file).then(() => fileSystem.readlink(file)),
    realpath: (file) => before("realpath", file).then(() => fileSystem.realpath(file)),
    names: (file) => before("names", file).then(() => fileSystem.names(file)),
    mkdir: (file, mode) => before("mkdir", file).then(() => fileSystem.mkdir(file, mode)),
    rmdir: (file) => before("rmdir", file).then(() => fileSystem.rmdir(file)),
    rename: (from, to) => before("rename", from).then(() => fileSystem.rename(from, to)),
    link: (from, to) => before("link", from).then(() => fileSystem.link(from, to)),
    unlink: (file) => before("unlink", file).then(() => fileSystem.unlink(file)),
  };
}

/** An error as the system makes it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by a test`), { code });
}
