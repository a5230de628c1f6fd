import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

interface IdleProcessOptions {
  cwd?: string
  stdio: StdioOptions
  limits?: { memoryKib: number; processorSeconds: number }
}

/**
 * Starts a program with an empty environment, which takes processor time that nothing else asks for, and ends when its parent does.
 * It stays in the session of its parent: Linux shares processor time between sessions first, so that in one of its own neither the idle class nor a nice value would yield to the server (sched(7), "The autogroup feature").
 * Without util-linux (`chrt`, `setpriv`) it runs as any process.
 */
export function spawnIdle(file: string, args: readonly string[], { limits, ...options }: IdleProcessOptions): ChildProcess {
  const script = [
    'chrt --idle --pid 0 $$ >/dev/null 2>&1',
    ...(limits ? [`ulimit -v ${limits.memoryKib} -t ${limits.processorSeconds}`] : []),
    'command -v setpriv >/dev/null && exec setpriv --pdeathsig KILL "$0" "$@"',
    'exec "$0" "$@"',
  ]
  return spawn('/bin/sh', ['-c', script.join('; '), file, ...args], { ...options, env: {} })
}
