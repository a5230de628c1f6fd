import { readFileSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { serverProgram } from './server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Another version of the site: every file of its client has another name, and its database another schema. `window.build` tells
 * which one a page runs.
 */
export interface SecondBuild {
  program: string
  clientDir: string
}

export const SECOND = 'second'

/** The line that says the schema's number, and what it is in the next version. */
function nextSchema(): { code: string; schema: string } {
  const source = readFileSync(join(root, 'client/data/db.ts'), 'utf8')
  const [code, version] = /export const SCHEMA_VERSION = (\d+)/.exec(source) ?? []
  if (code === undefined) throw new Error('The schema has no number')
  return { code, schema: code.replace(/\d+/, String(Number(version) + 1)) }
}

export async function makeSecondBuild(): Promise<SecondBuild> {
  // Below the checkout, so that the server finds its packages; each worker's tests have one of their own.
  const path = `test-results/second-build-${process.env.TEST_PARALLEL_INDEX ?? 0}`
  const folder = join(root, path)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const clientDir = join(folder, 'client')
  process.env.NODE_ENV = 'production'
  const { code, schema } = nextSchema()
  await build({
    plugins: [
      {
        name: 'next-schema',
        enforce: 'pre',
        transform: (source, id) => (id.endsWith('/client/data/db.ts') ? source.replace(code, schema) : undefined),
      },
    ],
    root: join(root, 'client'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    mode: 'production',
    build: {
      outDir: `../${path}/client`,
      emptyOutDir: true,
      rolldownOptions: { output: { banner: `globalThis.build='${SECOND}';` } },
    },
  })
  await cp(dirname(serverProgram), join(folder, 'server'), { recursive: true })
  return { program: join(folder, 'server/main.js'), clientDir }
}
