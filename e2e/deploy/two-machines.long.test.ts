import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openS3Store } from '../../server/files/s3-store.ts'
import { type S3Server, startS3Server } from '../../server/files/testing/s3-server.ts'
import { findFreePort, runAdminCommand, type Site, startSite } from '../server.ts'
import { readExampleSettings } from './example-files.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { type RunningProxy, startNginx } from './proxy-process.ts'
import { requestOverHttps } from './proxy-requests.ts'
import { createSilentWav } from './silent-wav.ts'

// Two built servers with data folders of their own, as on two machines, which share PostgreSQL and a bucket of S3, behind nginx with the repository's
// example, which sends requests to them alternately. Needs Debian's packages `postgresql`, `nginx` and `ffmpeg`.

const HOST = 'example.org'
const WAV_BYTES = 4_000_044

let workDir = ''
let cluster: PostgresCluster
let s3Server: S3Server
let proxy: RunningProxy
let siteEnv: Record<string, string>
const sites: Site[] = []
const sitePorts: number[] = []
const createDataDirPath = (index: number) => join(workDir, `data-${index}`)

const startSiteAt = async (index: number) => {
  sites[index] = await startSite({ ...siteEnv, DATA_DIR: createDataDirPath(index), PORT: String(sitePorts[index]) })
}

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'varispeed-machines-'))
  cluster = await startPostgresCluster(workDir)
  cluster.createDatabase('site')
  s3Server = await startS3Server(join(workDir, 's3'), await findFreePort())
  siteEnv = {
    ...(await readExampleSettings()),
    ...s3Server.env,
    DATABASE_URL: cluster.getUrl('site'),
    DEMO: 'off',
    RATE_LIMIT_CONVERSIONS: '500',
  }
  sitePorts.push(await findFreePort(), await findFreePort())
  // Both servers start at the same time with an empty bucket, and only one of them creates the signing key.
  await Promise.all([startSiteAt(0), startSiteAt(1)])
  proxy = await startNginx(workDir, sitePorts)
})
afterAll(async () => {
  await proxy?.stop()
  for (const site of sites) await site?.stop()
  await s3Server?.stop()
  await cluster?.stop()
  await rm(workDir, { recursive: true, force: true })
})

/** Sends a request to one of the servers, as the proxy does. */
const requestFrom = (
  machineIndex: number,
  urlPath: string,
  { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {},
) =>
  fetch(`http://127.0.0.1:${sitePorts[machineIndex]}${urlPath}`, {
    ...init,
    headers: { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https', ...headers },
  })

/** Creates an account of a subscriber through the proxy. Returns its token. */
async function signUp(personName: string): Promise<string> {
  const body = JSON.stringify({ email: `${personName}@example.com`, password: 'a long secret', returnSecureToken: true })
  const headers = { 'content-type': 'application/json' }
  const signUpAnswer = await requestOverHttps(proxy, HOST, '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any', {
    method: 'POST',
    headers,
    body,
  })
  expect(signUpAnswer.status, signUpAnswer.body).toBe(200)
  const { localId, idToken } = JSON.parse(signUpAnswer.body)
  cluster.query(
    'site',
    `insert into roles (email, role, source, uid) select email, 'subscriber', 'admin', uid from accounts where uid = '${localId}'`,
  )
  return idToken
}

/** Begins a conversion at one of the servers. Resolves with the response, which arrives when the conversion has ended. */
function convertFile(machineIndex: number, token: string, jobId: string): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ speed: '-20', format: 'wav', job_id: jobId })) form.append(name, value)
  form.append('file', new Blob([createSilentWav(WAV_BYTES)]), 'song.wav')
  return requestFrom(machineIndex, '/api/make/convert', { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form })
}
/** Carries out a conversion at one of the servers. Returns the address of the converted file. */
async function convertAt(machineIndex: number, token: string, jobId: string): Promise<string> {
  const response = await convertFile(machineIndex, token, jobId)
  expect(response.status, `${await response.clone().text()} ${sites[machineIndex]?.readLog()}`).toBe(200)
  return (await response.json()).data
}
const readStatus = async (index: number, token: string, id: string) =>
  (await (await requestFrom(index, `/api/make/status?job_id=${id}`, { headers: { authorization: `Bearer ${token}` } })).json()).data
async function waitForState(machineIndex: number, token: string, jobId: string, isReached: (state: string) => boolean) {
  for (let attemptIndex = 0; attemptIndex < 1200; attemptIndex++) {
    const status = await readStatus(machineIndex, token, jobId)
    if (status !== null && isReached(status.state)) return status
    await sleep(500)
  }
  return expect.fail('The conversion does not get on.')
}

test('two servers that start at the same time with an empty bucket accept the tokens of each other', async () => {
  const idToken = await signUp('ann')
  const statusCodes = await Promise.all(
    [0, 1, 0, 1].map(
      async (index) => (await requestFrom(index, '/api/account/getinfo', { headers: { authorization: `Bearer ${idToken}` } })).status,
    ),
  )
  expect(statusCodes).toEqual([200, 200, 200, 200])
  expect(existsSync(join(createDataDirPath(0), 'identity')) || existsSync(join(createDataDirPath(1), 'identity'))).toBe(false)
})

test('a conversion that one server carries out is watched at the other, and downloaded there, also in parts', async () => {
  const idToken = await signUp('bob')
  const jobId = randomUUID()
  const conversionPromise = convertFile(0, idToken, jobId)
  await waitForState(1, idToken, jobId, (state) => state !== 'queued')
  const response = await conversionPromise
  expect(response.status, await response.clone().text()).toBe(200)
  const { url } = await waitForState(1, idToken, jobId, (state) => state === 'done')
  const wholeFile = Buffer.from(await (await requestFrom(1, url)).arrayBuffer())
  expect(wholeFile.length).toBeGreaterThan(WAV_BYTES)
  expect(wholeFile.subarray(0, 4).toString()).toBe('RIFF')
  expect(wholeFile.equals(Buffer.from(await (await requestFrom(0, url)).arrayBuffer()))).toBe(true)
  const partialAnswer = await requestFrom(1, url, { headers: { range: `bytes=${wholeFile.length - 100}-` } })
  expect([partialAnswer.status, partialAnswer.headers.get('content-range')]).toEqual([
    206,
    `bytes ${wholeFile.length - 100}-${wholeFile.length - 1}/${wholeFile.length}`,
  ])
  expect(Buffer.from(await partialAnswer.arrayBuffer()).equals(wholeFile.subarray(-100))).toBe(true)
  const headResponse = await requestFrom(1, url, { method: 'HEAD' })
  expect([headResponse.status, headResponse.headers.get('content-length'), headResponse.headers.get('etag')]).toEqual([
    200,
    String(wholeFile.length),
    `"${jobId}"`,
  ])
  expect((await requestFrom(1, url, { headers: { range: `bytes=${wholeFile.length}-` } })).status).toBe(416)
  for (let round = 0; round < 4; round++) {
    const { status, body } = await requestOverHttps(proxy, HOST, url, { headers: { range: 'bytes=0-3' } })
    expect([status, body]).toEqual([206, 'RIFF'])
  }
})

test('the conversion of a server that is killed is finished by the other one', async () => {
  const idToken = await signUp('cid')
  const jobId = randomUUID()
  const conversionPromise = convertFile(0, idToken, jobId).catch(() => undefined)
  await waitForState(1, idToken, jobId, (state) => state !== 'queued')
  process.kill(sites[0]?.pid ?? expect.fail(), 'SIGKILL')
  await conversionPromise
  const { url } = await waitForState(1, idToken, jobId, (state) => state === 'done')
  expect((await requestFrom(1, url, { method: 'HEAD' })).status).toBe(200)
  await sites[0]?.stop()
  await startSiteAt(0)
})

test('a banner that is uploaded to one server is shown by the other', async () => {
  const idToken = await signUp('dan')
  const headers = { authorization: `Bearer ${idToken}` }
  const activateRequest = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ domain_name: 'dan' }),
  }
  expect((await requestFrom(0, '/api/website/activate', activateRequest)).status).toBe(200)
  const form = new FormData()
  const bannerBytes = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()
  form.append('file', new Blob([new Uint8Array(bannerBytes)]), 'banner.png')
  expect((await requestFrom(0, '/api/website/banner', { method: 'POST', headers, body: form })).status).toBe(200)
  for (const index of [1, 0]) {
    const pictureResponse = await requestFrom(index, '/img/website/dan/640')
    expect(pictureResponse.status).toBe(200)
    const { channels } = await sharp(Buffer.from(await pictureResponse.arrayBuffer())).stats()
    expect(channels.map(({ mean }) => Math.round(mean / 50))).toEqual([5, 0, 0])
  }
})

test('while the bucket is out of reach, downloads fail with Retry-After, and everything else works', async () => {
  const idToken = await signUp('eva')
  const jobId = randomUUID()
  const url = await convertAt(1, idToken, jobId)
  await s3Server.stop()
  const refusedAnswer = await requestFrom(0, url)
  expect([refusedAnswer.status, refusedAnswer.headers.get('retry-after')]).toEqual([503, '15'])
  const refusedConversion = await convertFile(0, idToken, randomUUID())
  expect([refusedConversion.status, refusedConversion.headers.get('retry-after')]).toEqual([503, '15'])
  expect((await requestFrom(0, '/api/account/getinfo', { headers: { authorization: `Bearer ${idToken}` } })).status).toBe(200)
  expect((await requestFrom(0, '/api/playlist/all')).status).toBe(200)
  expect((await requestFrom(0, '/healthz')).status).toBe(200)
  s3Server = await startS3Server(join(workDir, 's3'), Number(new URL(s3Server.settings.endpoint).port))
  expect((await requestFrom(0, url)).status).toBe(200)
  for (const site of sites) expect(site.readLog()).not.toContain(s3Server.settings.secretAccessKey)
})

test('the files of a deleted account are deleted from the bucket', async () => {
  const idToken = await signUp('gil')
  const jobId = randomUUID()
  const url = await convertAt(1, idToken, jobId)
  const headers = { authorization: `Bearer ${idToken}` }
  expect((await requestFrom(1, '/api/account/delete', { method: 'POST', headers })).status).toBe(200)
  expect((await requestFrom(1, url)).status).toBe(404)
  expect((await (await openS3Store(s3Server.settings)).list('conversions')).filter((name) => name.startsWith(jobId))).toEqual([])
})

test('a backup has the files of the bucket, and is restored into another bucket or into a folder', async () => {
  const idToken = await signUp('fay')
  const jobId = randomUUID()
  const url = await convertAt(0, idToken, jobId)
  const wholeFile = Buffer.from(await (await requestFrom(0, url)).arrayBuffer())
  const backupPath = join(workDir, 'site.backup')
  await runAdminCommand(createDataDirPath(0), ['backup', backupPath], siteEnv)

  const restoredDir = join(workDir, 'restored')
  await runAdminCommand(restoredDir, ['restore', backupPath])
  expect((await readFile(join(restoredDir, 'conversions', `${jobId}.out`))).equals(wholeFile)).toBe(true)
  expect(existsSync(join(restoredDir, 'identity/keys.json'))).toBe(true)

  cluster.createDatabase('restored')
  const otherEnv = { ...siteEnv, DATABASE_URL: cluster.getUrl('restored'), FILE_STORE: `${siteEnv.FILE_STORE}-restored` }
  await runAdminCommand(join(workDir, 'data-restored'), ['restore', backupPath], otherEnv)
  await sites[0]?.stop()
  sites[0] = await startSite({ ...otherEnv, DATA_DIR: join(workDir, 'data-restored'), PORT: String(sitePorts[0]) })
  expect(Buffer.from(await (await requestFrom(0, url)).arrayBuffer()).equals(wholeFile)).toBe(true)
  expect((await requestFrom(0, '/api/account/getinfo', { headers: { authorization: `Bearer ${idToken}` } })).status).toBe(200)
})
