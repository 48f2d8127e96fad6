import { spawn, type ChildProcess } from "node:child_process";
import { processMarker } from "./marker.ts";

/**
 * Node has no parent-death signal, so a kit that is killed -9 would leave its children running.
 * This shell holds one end of a pipe whose other end only kit has: when kit dies for any reason,
 * `read` meets the end of the pipe and the shell ends the groups it was told of and whatever else
 * carries kit's marker: SIGTERM, SIGKILL a second later. With no child alive it just leaves.
 */
const script = `
marker=$1 groups=' ' starting=
while read -r verb id; do
  case $verb in
    start) starting=1 ;;
    add) starting= groups="$groups$id " ;;
    failed) starting= ;;
    remove) case $groups in *" $id "*) groups="\${groups%% $id *} \${groups#* $id }" ;; esac ;;
  esac
done
set -- $groups
[ $# = 0 ] && [ -z "$starting" ] && exit 0
marked() {
  if [ -d /proc/self ]; then
    grep -slF "$marker" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
  else
    ps -A -E -ww -o pid=,command= | grep -F "KIT_PROCESS=" | grep -F "$marker" |
      while read -r pid _; do echo "$pid"; done
  fi
}
end() {
  for id in $groups; do kill -s "$1" -- "-$id"; done
  for id in $(marked); do kill -s "$1" "$id"; done
}
end TERM
sleep 1
end KILL
end KILL
`;

let watchdog: ChildProcess | undefined;

function tell(line: string): void {
  watchdog ??= startWatchdog();
  watchdog?.stdin?.write(`${line}\n`);
}

function startWatchdog(): ChildProcess | undefined {
  try {
    const shell = spawn("/bin/sh", ["-c", script, "kit-watchdog", processMarker()], {
      cwd: "/",
      env: { PATH: `${process.env["PATH"] ?? ""}:/usr/bin:/bin` },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    const forget = (): void => {
      if (watchdog === shell) watchdog = undefined;
    };
    shell.on("error", forget).on("exit", forget);
    shell.stdin.on("error", forget);
    shell.unref();
    // A pipe's stream is a socket: unlike the type says, it can be unreferenced.
    (shell.stdin as unknown as { unref(): void }).unref();
    return shell;
  } catch {
    return undefined;
  }
}

/** Before a child is started: from here on it is ended if kit dies. */
export function expectChild(): void {
  tell("start");
}

/** After its start; `undefined` where it could not be started. */
export function watchChild(pid: number | undefined): void {
  tell(pid === undefined ? "failed" : `add ${pid}`);
}

/** After its whole family is gone. */
export function unwatchChild(pid: number): void {
  tell(`remove ${pid}`);
}
