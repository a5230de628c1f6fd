import { once } from 'node:events'
import { expect, it } from 'vitest'
import { spawnIdle } from './process.ts'

it('a process has no environment, and is killed after its processor time', async () => {
  const printed = spawnIdle(process.execPath, ['-e', 'console.log(JSON.stringify(process.env))'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    limits: { processorSeconds: 30 },
  })
  let output = ''
  printed.stdout?.on('data', (chunk) => {
    output += String(chunk)
  })
  await once(printed, 'close')
  // The shell sets the others by itself.
  expect(Object.keys(JSON.parse(output)).filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([])

  const endless = spawnIdle(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore', limits: { processorSeconds: 1 } })
  const [, signal] = await once(endless, 'exit')
  expect(['SIGXCPU', 'SIGKILL']).toContain(signal)
}, 60_000)
