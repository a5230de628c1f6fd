import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

/**
 * The limit of processor time for each process of a conversion, in seconds: three times what the longest songs took on a machine of 2026. Rendering
 * and encoding start after decoding has ended, so that a conversion takes at most a minute on an idle machine.
 */
export const PROCESSOR_SECONDS_MAX = 30

interface LimitedProcessOptions {
  cwd?: string
  stdio: StdioOptions
  /** The difference between the nice values of the process and its parent. The default is 0. */
  niceIncrement?: number
  limits: { memoryKib?: number; processorSeconds: number }
}

/**
 * The difference between the nice values of a conversion and the server. Beside a process that always has work, a conversion gets a tenth of a
 * processor, and it yields to a request immediately. The idle class and the nice value 19 were measured, too: on a busy machine a conversion did not
 * advance (docs/conversion.md).
 */
export const CONVERSION_NICE_INCREMENT = 10

/**
 * Starts a program with limits and an empty environment. The process ends when its parent does. It is killed when it has used up its processor
 * time; elapsed time is not limited, because it depends on how busy the machine is. The process stays in the session of its parent, because
 * Linux divides processor time among sessions first: in a session of its own, the process would compete with the server despite its nice value
 * (sched(7), "The autogroup feature"). Without util-linux (`setpriv`) the process does not end with its parent.
 */
export function spawnLimited(
  filePath: string,
  args: readonly string[],
  { limits, niceIncrement = 0, ...options }: LimitedProcessOptions,
): ChildProcess {
  const shellScript = [
    // Each limit has its own `ulimit` command, because Debian's shell refuses two limits in one.
    `ulimit -t ${limits.processorSeconds}`,
    ...(limits.memoryKib === undefined ? [] : [`ulimit -v ${limits.memoryKib}`]),
    `command -v setpriv >/dev/null && exec nice -n ${niceIncrement} setpriv --pdeathsig KILL "$0" "$@"`,
    `exec nice -n ${niceIncrement} "$0" "$@"`,
  ]
  const childProcess = spawn('/bin/sh', ['-c', shellScript.join('; '), filePath, ...args], { ...options, env: {} })
  // Errors of pipes and signals are ignored, because the exit of the process reports them.
  for (const emitter of [childProcess, childProcess.stdin, childProcess.stdout]) emitter?.on('error', () => {})
  return childProcess
}
