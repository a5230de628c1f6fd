import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { serverProgram } from './server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Another version of the site: every file of its client has another name. `window.build` tells which one a page runs. */
export interface SecondBuild {
  program: string
  clientDir: string
}

export const SECOND = 'second'

export async function makeSecondBuild(): Promise<SecondBuild> {
  // Below the checkout, so that the server finds its packages.
  const folder = join(root, 'test-results/second-build')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const clientDir = join(folder, 'client')
  process.env.NODE_ENV = 'production'
  await build({
    root: join(root, 'client'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    mode: 'production',
    build: {
      outDir: '../test-results/second-build/client',
      emptyOutDir: true,
      rolldownOptions: { output: { banner: `globalThis.build='${SECOND}';` } },
    },
  })
  await cp(dirname(serverProgram), join(folder, 'server'), { recursive: true })
  return { program: join(folder, 'server/main.js'), clientDir }
}
