/**
 * Runs a command inside the sandbox and tells kit on descriptor 3, which the command does not get:
 * `started`, then the command lines of processes it left running. They get 0.2 s to end by
 * themselves, as outside; with this shell's exit the kernel ends the rest.
 */
export const supervisor = `
echo started >&3
"$@" 3>&-
code=$?
exec 2>/dev/null
left() {
  found=
  for entry in /proc/[0-9]*; do
    pid=\${entry#/proc/}
    case $pid in 1|$$) continue ;; esac
    words=
    read -r words <"$entry/stat" || continue
    case \${words##*) } in Z*|X*) continue ;; esac
    found="$found $pid"
  done
  [ -n "$found" ]
}
for pause in 0.02 0.03 0.05 0.1; do
  left || exit $code
  sleep $pause
done
left || exit $code
for pid in $found; do
  line=$(tr '\\0\\n' '  ' <"/proc/$pid/cmdline" | head -c 200)
  echo "left $line" >&3
done
exit $code
`;

/** What the supervisor told: whether the command was started, and what it left running. */
export function readTold(told: string): {
  readonly isStarted: boolean;
  readonly leftBehind: readonly string[];
} {
  const lines = told.split("\n");
  const left = lines.filter((line) => line.startsWith("left ")).slice(0, 100);
  return {
    isStarted: lines[0] === "started",
    leftBehind: left.map((line) => line.slice("left ".length).trim()).filter(Boolean),
  };
}
