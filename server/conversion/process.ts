import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

/**
 * The processor time of each process of a conversion, in seconds: three times what the longest songs took on a machine of 2026. Decoding, and rendering with
 * encoding, follow each other, so that a conversion ends within a minute on a machine that is idle.
 */
export const PROCESSOR_SECONDS = 30

interface IdleProcessOptions {
  cwd?: string
  stdio: StdioOptions
  limits: { memoryKib?: number; processorSeconds: number }
}

/**
 * Starts a program in the idle scheduling class with an empty environment. It ends when its parent does. It is killed after `limits` of processor
 * time, not of elapsed time, which depends on how busy the machine is. It stays in the session of its parent: Linux shares processor time between
 * sessions first, so that in a session of its own neither the idle class nor a nice value would yield to the server (sched(7), "The autogroup
 * feature"). Without util-linux (`chrt`, `setpriv`) it runs as any process.
 */
export function spawnIdle(file: string, args: readonly string[], { limits, ...options }: IdleProcessOptions): ChildProcess {
  const script = [
    'chrt --idle --pid 0 $$ >/dev/null 2>&1',
    // One limit for each call: Debian's shell refuses two.
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
