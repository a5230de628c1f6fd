import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createMinimalEnvironment, findFreePort } from '../e2e/server.ts'

/** Starts `bare-server.ts` in a child process; it answers every path with the response of the URL `sourceUrl`. */
export async function startBareServer(sourceUrl: string) {
  const port = await findFreePort()
  const programPath = fileURLToPath(new URL('./bare-server.ts', import.meta.url))
  const childProcess = spawn(process.execPath, ['--import', 'tsx', programPath, String(port), sourceUrl], {
    env: createMinimalEnvironment({}),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}/`
  for (;;) {
    if (childProcess.exitCode !== null) throw new Error('The bare server did not start')
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  if (childProcess.pid === undefined) throw new Error('The bare server has no process id')
  return {
    port,
    pid: childProcess.pid,
    stop: async () => {
      childProcess.kill('SIGTERM')
      await once(childProcess, 'exit')
    },
  }
}
