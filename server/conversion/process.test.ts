import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { expect, it } from 'vitest'
import { spawnLimited } from './process.ts'

async function readOutput(childProcess: ChildProcess): Promise<string> {
  let output = ''
  childProcess.stdout?.on('data', (chunk) => {
    output += String(chunk)
  })
  await once(childProcess, 'close')
  return output
}

it('a child process has no environment, has the limits and the lower priority that it is given, and is killed when its processor time is used up', async () => {
  const environmentProcess = spawnLimited(process.execPath, ['-e', 'console.log(JSON.stringify(process.env))'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    limits: { processorSeconds: 30 },
  })
  const output = await readOutput(environmentProcess)
  // The excluded variables are set by the shell itself.
  expect(Object.keys(JSON.parse(output)).filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([])

  const limitedProcess = spawnLimited('/bin/sh', ['-c', 'ulimit -t; ulimit -v'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    limits: { processorSeconds: 30, memoryKib: 1_000_000 },
  })
  expect(await readOutput(limitedProcess)).toBe('30\n1000000\n')

  const lowPriorityProcess = spawnLimited(process.execPath, ['-p', 'os.getPriority()'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    niceIncrement: 10,
    limits: { processorSeconds: 30 },
  })
  expect(Number(await readOutput(lowPriorityProcess))).toBe(Math.min(19, getPriority() + 10))

  const endless = spawnLimited(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore', limits: { processorSeconds: 1 } })
  const [, signal] = await once(endless, 'exit')
  expect(['SIGXCPU', 'SIGKILL']).toContain(signal)
}, 60_000)
