import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'

const packageUrl = new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url)

/** Returns the path of the files of an empty PostgreSQL, which differ between versions of PGlite. */
async function findEmptyCluster(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(packageUrl, 'utf8'))
  return fileURLToPath(new URL(`../dist/test-postgres/${version}.tar`, import.meta.url))
}

/** Creates the files of an empty PostgreSQL once per checkout, because that takes seconds and every worker needs them. */
export async function setup(): Promise<void> {
  const tarPath = await findEmptyCluster()
  if (existsSync(tarPath)) return
  const pglite = await PGlite.create()
  const tarFile = await pglite.dumpDataDir('none')
  await pglite.close()
  await mkdir(dirname(tarPath), { recursive: true })
  const unfinishedPath = `${tarPath}.${process.pid}`
  await writeFile(unfinishedPath, new Uint8Array(await tarFile.arrayBuffer()))
  await rename(unfinishedPath, tarPath)
}

/** Reads the files that `setup` has created. */
export const readEmptyCluster = async (): Promise<Blob> => new Blob([await readFile(await findEmptyCluster())])
