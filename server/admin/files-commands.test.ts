import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type S3Server, startS3Server } from '../files/testing/s3-server.ts'
import { runCommand } from './run-command.ts'

let folderPath: string
let server: S3Server
beforeEach(async () => {
  folderPath = await mkdtemp(join(tmpdir(), 'varispeed-copy-'))
  server = await startS3Server(join(folderPath, 's3'))
})
afterEach(async () => {
  await server.stop()
  await rm(folderPath, { recursive: true, force: true })
})

test('the files that processes share are copied to the bucket and back; unfinished files are not', async () => {
  const [oldFolder, newFolder] = [join(folderPath, 'old'), join(folderPath, 'fresh')]
  for (const dir of ['conversions', 'identity']) await mkdir(join(oldFolder, dir), { recursive: true })
  for (const name of ['conversions/a.out', 'conversions/b.in', 'conversions/c.3f-out', 'identity/keys.json'])
    await writeFile(join(oldFolder, name), `content of ${name}`)
  await mkdir(newFolder)
  const copyFiles = (to: string, dataDir: string) =>
    runCommand(['files', 'copy', '--to', to], { env: { ...server.env, DATA_DIR: dataDir } })
  expect(await copyFiles('bucket', oldFolder)).toBe('3 files were copied.')
  expect(await copyFiles('folder', newFolder)).toBe('3 files were copied.')
  expect((await readdir(join(newFolder, 'conversions'))).sort()).toEqual(['a.out', 'b.in'])
  for (const name of ['conversions/a.out', 'identity/keys.json']) {
    expect(await readFile(join(newFolder, name), 'utf8')).toBe(`content of ${name}`)
    expect(await readFile(join(oldFolder, name), 'utf8')).toBe(`content of ${name}`)
  }
  expect(await copyFiles('folder', newFolder)).toBe('1 file was copied.')
  await expect(copyFiles('nowhere', oldFolder)).rejects.toThrow('--to must be bucket or folder')
  await expect(runCommand(['files', 'copy', '--to', 'bucket'], { env: { DATA_DIR: oldFolder } })).rejects.toThrow('FILE_STORE must be set')
})
