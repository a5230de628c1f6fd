import { readFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { prepareFolderOnce } from './prepared.ts'
import { serverScriptPath } from './server.ts'
import { waitForHydration } from './steps.ts'

const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/**
 * A later version of the site, with other file names and a higher schema version of the local database. Its pages set `globalThis.build`.
 */
export interface SecondBuild {
  programFile: string
  clientDir: string
}

/** The value of `globalThis.build` in pages of the second build. */
export const SECOND_BUILD_NAME = 'second'

const schemaFile = 'client/data/dexie-database.ts'

/** Returns the text in the build that declares the schema version of the local database, and the text that declares the next version. */
function readNextSchema(): { declaration: string; schema: string } {
  const schemaSource = readFileSync(join(projectRoot, schemaFile), 'utf8')
  const [declaration, version] = /export const SCHEMA_VERSION = (\d+)/.exec(schemaSource) ?? []
  if (declaration === undefined) throw new Error(`${schemaFile} declares no SCHEMA_VERSION`)
  return { declaration, schema: declaration.replace(/\d+/, String(Number(version) + 1)) }
}

/** Builds a second, later version of the site once for all workers of a test run. */
export async function makeSecondBuild(): Promise<SecondBuild> {
  // The folder of the second build is inside the checkout, so that the server can resolve its packages.
  const folder = await prepareFolderOnce('second-build', writeSecondBuild)
  return { programFile: join(folder, 'server/main.js'), clientDir: join(folder, 'client') }
}

/** Returns a copy of the second build that a test may change. */
export async function copySecondBuild(buildName: string): Promise<SecondBuild> {
  const { programFile: programPath } = await makeSecondBuild()
  const buildFolder = dirname(dirname(programPath))
  const copyFolder = `${buildFolder}-${buildName}`
  await rm(copyFolder, { recursive: true, force: true })
  await cp(buildFolder, copyFolder, { recursive: true })
  return { programFile: join(copyFolder, 'server/main.js'), clientDir: join(copyFolder, 'client') }
}

async function writeSecondBuild(folderPath: string): Promise<void> {
  process.env.NODE_ENV = 'production'
  const { declaration: declarationCode, schema } = readNextSchema()
  await build({
    plugins: [
      {
        name: 'next-schema',
        enforce: 'pre',
        transform: (source, id) => (id.endsWith(`/${schemaFile}`) ? source.replace(declarationCode, schema) : undefined),
      },
    ],
    root: join(projectRoot, 'client'),
    configFile: join(projectRoot, 'vite.config.ts'),
    logLevel: 'warn',
    // Only the mode `production` writes compressed files. Compressing would take a third of the build's time.
    mode: 'uncompressed',
    build: {
      minify: true,
      // The path is relative to the client's folder, because the compression plugin joins the two paths.
      outDir: relative(join(projectRoot, 'client'), join(folderPath, 'client')),
      emptyOutDir: true,
      rolldownOptions: { output: { banner: `globalThis.build='${SECOND_BUILD_NAME}';` } },
    },
  })
  await cp(dirname(serverScriptPath), join(folderPath, 'server'), { recursive: true })
}

/** Waits for hydration. Returns the name of the build that the page runs. */
export const readBuildName = (page: Page) =>
  waitForHydration(page).then(() => page.evaluate(() => String(Reflect.get(globalThis, 'build') ?? 'first')))
export const checkForUpdate = (page: Page) => page.evaluate(async () => (await navigator.serviceWorker.ready).update())
export const locateUpdateButton = (page: Page) => page.getByRole('button', { name: 'Update', exact: true })
