import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

/**
 * The limit of processor time for each process of a conversion, in seconds: three times what the longest songs took on a machine of 2026. Rendering
 * and encoding start after decoding has ended, so that a conversion takes at most a minute on an idle machine.
 */
export const PROCESSOR_SECONDS_MAX = 30

interface IdleProcessOptions {
  cwd?: string
  stdio: StdioOptions
  limits: { memoryKib?: number; processorSeconds: number }
}

/**
 * Starts a program in the idle scheduling class with an empty environment. The process ends when its parent does. It is killed when it has used up
 * its processor time; elapsed time is not limited, because it depends on how busy the machine is. The process stays in the session of its parent,
 * because Linux divides processor time among sessions first: in a session of its own, the process would compete with the server despite the idle
 * class or a nice value (sched(7), "The autogroup feature"). Without util-linux (`chrt`, `setpriv`) the process has normal priority and does not
 * end with its parent.
 */
export function spawnIdle(file: string, args: readonly string[], { limits, ...options }: IdleProcessOptions): ChildProcess {
  const script = [
    'chrt --idle --pid 0 $$ >/dev/null 2>&1',
    // Each limit has its own `ulimit` command, because Debian's shell refuses two limits in one.
    `ulimit -t ${limits.processorSeconds}`,
    ...(limits.memoryKib === undefined ? [] : [`ulimit -v ${limits.memoryKib}`]),
    'command -v setpriv >/dev/null && exec setpriv --pdeathsig KILL "$0" "$@"',
    'exec "$0" "$@"',
  ]
  const child = spawn('/bin/sh', ['-c', script.join('; '), file, ...args], { ...options, env: {} })
  // Errors of pipes and signals are ignored, because the exit of the process reports them.
  for (const emitter of [child, child.stdin, child.stdout]) emitter?.on('error', () => {})
  return child
}
