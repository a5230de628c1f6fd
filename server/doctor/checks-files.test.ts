import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { startS3Server } from '../files/testing/s3-server.ts'
import { checkFileStore } from './checks-files.ts'

test('doctor stores and reads a file in the bucket of the site’s files, and reports a wrong key', async () => {
  const workFolder = await mkdtemp(join(tmpdir(), 'varispeed-doctor-'))
  const server = await startS3Server(workFolder)
  try {
    const checkStore = async (env: Record<string, string>) => (await checkFileStore({ config: readConfig(env) }))[0]
    expect(await checkStore({})).toMatchObject({ status: 'not configured' })
    expect(await checkStore(server.env)).toMatchObject({ status: 'ok' })
    expect(await checkStore({ ...server.env, FILE_STORE_SECRET: 'wrong' })).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('SignatureDoesNotMatch'),
    })
  } finally {
    await server.stop()
    await rm(workFolder, { recursive: true, force: true })
  }
})
