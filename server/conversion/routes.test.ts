import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CONTENT_LOCKED_MESSAGE } from '../../contract/errors.ts'
import { DAY_MS } from '../durations.ts'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const JOB_ID = '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c'
const formatIsoTime = (ms: number) => new Date(ms).toISOString()

let site: TestApp
let nowMs = START_MS
beforeEach(async () => {
  nowMs = START_MS
  site = await createTestApp({}, { nowMs: () => nowMs })
})
afterEach(() => site.close())

const createBearerHeader = (token: string) => ({ authorization: `Bearer ${token}` })
const createToken = async (name: string) => (await createSdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken as string
async function createSubscriber(subscriberName: string) {
  const token = await createToken(subscriberName)
  await site.storage.roles.grant(`${subscriberName}@example.com`, { role: 'subscriber', source: 'admin', untilMs: undefined })
  return token
}
const listFiles = async (token: string, query = '') =>
  (await site.app.inject({ url: `/api/make/history${query}`, headers: createBearerHeader(token) })).json()
const recordFile = async (token: string, fieldOverrides: Record<string, unknown> = {}) =>
  (
    await site.app.inject({
      method: 'POST',
      url: '/api/make/history',
      headers: createBearerHeader(token),
      payload: { file_name: 'Stone (nightcore).wav', file_size: 1_000_044, speed: 1.25, pitch: 0, ...fieldOverrides },
    })
  ).json()

it('make history: a subscriber’s files are recorded, and listed newest first', async () => {
  const annToken = await createSubscriber('ann')
  expect(await listFiles(annToken)).toEqual({ code: 200, message: 'OK', data: [] })
  const firstFile = {
    id: expect.any(String),
    file_name: 'Stone (nightcore).wav',
    file_size: 1_000_044,
    created: '2026-03-01T12:00:00.000Z',
    speed: 1.25,
    pitch: 0,
  }
  expect(await recordFile(annToken)).toEqual({ code: 200, message: 'OK', data: firstFile })
  nowMs += 1000
  const { data: secondFile } = await recordFile(annToken, { file_name: 'Café.mp3' })
  expect((await listFiles(annToken)).data).toEqual([secondFile, firstFile])
  expect((await listFiles(annToken, '?limit=1&offset=1')).data).toEqual([firstFile])
  expect((await listFiles(await createSubscriber('bob'))).data).toEqual([])
})

it('make history: forms with the token in the body are accepted', async () => {
  const idToken = await createSubscriber('ann')
  const formFields = { file_name: 'a.wav', file_size: '44', speed: '0.85', pitch: '-2', firebase_auth_token: idToken }
  const response = await site.app.inject({
    method: 'POST',
    url: '/api/make/history',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(formFields).toString(),
  })
  expect(response.json()).toMatchObject({ code: 200, data: { file_name: 'a.wav', file_size: 44 } })
})

it('make history: users without the role get 403, and requests without a token 401', async () => {
  const annToken = await createToken('ann')
  for (const call of [listFiles, recordFile]) {
    expect(await call(annToken)).toEqual({ code: 403, message: CONTENT_LOCKED_MESSAGE, data: null })
    expect(await call('nonsense')).toMatchObject({ code: 401 })
  }
  expect(CONTENT_LOCKED_MESSAGE).toBe(
    'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.',
  )
})

it('make history: a repeated change is applied once', async () => {
  const [annToken, bobToken] = [await createSubscriber('ann'), await createSubscriber('bob')]
  const { data: fileRow } = await recordFile(annToken, { change_id: JOB_ID })
  expect(fileRow.id).toBe(JOB_ID)
  nowMs += 1000
  expect((await recordFile(annToken, { change_id: JOB_ID.toUpperCase(), file_name: 'other' })).data).toEqual(fileRow)
  expect((await listFiles(annToken)).data).toEqual([fileRow])
  expect((await recordFile(bobToken, { change_id: JOB_ID, file_name: 'Bob.wav' })).data).toMatchObject({ id: JOB_ID, file_name: 'Bob.wav' })
})

it.each([
  [START_MS - DAY_MS, START_MS - DAY_MS],
  [START_MS - 364 * DAY_MS, START_MS - 364 * DAY_MS],
  [START_MS - 366 * DAY_MS, START_MS],
  [START_MS + 1, START_MS],
  [0, START_MS],
])('make history: an exported file whose reported time is %s is stored with the time %s', async (claimedTime, storedTime) => {
  expect((await recordFile(await createSubscriber('ann'), { exported_at: formatIsoTime(claimedTime) })).data.created).toBe(
    formatIsoTime(storedTime),
  )
})

it('make history: invalid files are refused, and nothing is stored', async () => {
  const annToken = await createSubscriber('ann')
  for (const [fieldOverrides, expectedMessage] of [
    [{ file_name: undefined }, 'file_name is required'],
    [{ file_name: '' }, 'file_name must not be empty'],
    [{ file_name: 'x'.repeat(256) }, 'file_name must have at most 255 characters'],
    [{ file_name: 'a\0b' }, 'file_name must not hold a null character'],
    [{ file_size: 0 }, 'file_size must be a whole number from 1 to 4294967303'],
    [{ file_size: 2 ** 32 + 8 }, 'file_size must be a whole number from 1 to 4294967303'],
    [{ file_size: 1.5 }, 'file_size must be a whole number from 1 to 4294967303'],
    [{ speed: 0.09 }, 'speed must be a number from 0.1 to 2'],
    [{ speed: 'fast' }, 'speed must be a number from 0.1 to 2'],
    [{ pitch: 12.5 }, 'pitch must be a number from -12 to 12'],
    [{ pitch: [1, 2] }, 'pitch must be given once'],
    [{ change_id: '1' }, 'change_id has the wrong format'],
    [{ exported_at: 'yesterday' }, 'exported_at has the wrong format'],
  ] as const)
    expect(await recordFile(annToken, fieldOverrides), expectedMessage).toEqual({ code: 400, message: expectedMessage, data: null })
  expect((await listFiles(annToken)).data).toEqual([])
})

it('make history: the history is exported, and deleted with the account', async () => {
  const annToken = await createSubscriber('ann')
  const { data: fileRow } = await recordFile(annToken)
  const exportHistory = async () =>
    (await site.app.inject({ url: '/api/account/export', headers: createBearerHeader(annToken) })).json().data
  expect((await exportHistory()).make_history).toEqual([fileRow])
  // Checks that an account that has lost the role keeps its history.
  await site.storage.roles.revoke('ann@example.com', 'subscriber', 'admin')
  const { uid, make_history } = await exportHistory()
  expect(make_history).toHaveLength(1)
  await site.app.inject({ method: 'POST', url: '/api/account/delete', headers: createBearerHeader(annToken) })
  expect(await site.storage.makeHistory.list(uid, { limit: 9, offset: 0 })).toEqual([])
})

it('make convert: a file of 10,485,760 bytes is read, and a file that is a byte larger is refused; if ffmpeg is missing, the response says so', async () => {
  const idToken = await createSubscriber('ann')
  const sendUpload = async (byteCount: number) => {
    const form = new FormData()
    form.append('speed', '25')
    form.append('file', new Blob([new Uint8Array(byteCount)]), 'song.pcm')
    const { headers, body } = new Response(form)
    const bodyBytes = Buffer.from(await new Response(body).arrayBuffer())
    const contentType = { 'content-type': headers.get('content-type') ?? '' }
    const request = { method: 'POST', url: '/api/make/convert', payload: bodyBytes } as const
    return (await site.app.inject({ ...request, headers: { ...createBearerHeader(idToken), ...contentType } })).json()
  }
  expect(await sendUpload(10_485_760)).toMatchObject({
    code: 503,
    message: 'Songs cannot be converted here: ffmpeg is not installed on the server.',
  })
  expect(await sendUpload(10_485_761)).toMatchObject({ code: 413, message: 'The file is larger than 10 MB.' })
  expect(await readdir(join(site.dataDir, 'conversions'))).toEqual([])
})

it("make file: the response is a download, and no character of the file's name can begin another header or parameter", async () => {
  const idToken = await createSubscriber('ann')
  const uid = (await site.storage.accounts.findByEmail('ann@example.com'))?.uid ?? ''
  const file_name = `It's "a";\r\nset-cookie: x=1; (50%) *\u2603.mp3`
  await site.storage.conversions.add(
    {
      id: JOB_ID,
      uid,
      state: 'running',
      file_name,
      upload_bytes: 1,
      file_bytes: 0,
      demuxer: 'mp3',
      rate: 1,
      format: 'mp3',
      message: '',
      secret: 's',
      created: nowMs,
    },
    1,
    0,
  )
  const storedConversion = await site.storage.conversions.find(JOB_ID)
  if (storedConversion !== undefined) await site.storage.conversions.complete(storedConversion, 5)
  await mkdir(join(site.dataDir, 'conversions'), { recursive: true })
  await writeFile(join(site.dataDir, 'conversions', `${JOB_ID}.out`), 'sound')
  const [{ url }] = (await listFiles(idToken)).data
  const { statusCode, headers, body } = await site.app.inject(url)
  expect([statusCode, body, headers['content-type'], headers['cache-control'], headers['set-cookie']]).toEqual([
    200,
    'sound',
    'audio/mpeg',
    'private, no-store',
    undefined,
  ])
  const value = /^attachment; filename\*=UTF-8''([\w.~%!-]+)$/.exec(String(headers['content-disposition']))?.[1] ?? ''
  expect(decodeURIComponent(value)).toBe(file_name)
})

/** A fake conversion program, which copies the upload. */
const FAKE_CONVERSION_PROGRAM = `
const { copyFileSync } = require('node:fs')
const job = JSON.parse(process.argv[2])
copyFileSync(job.inputFile, job.outputFile)
console.log('done')
`

function sendSong(token: string, fileName: string, songBytes: Buffer = Buffer.from('fLaC a song')) {
  const multipartHead =
    '--x\r\nContent-Disposition: form-data; name="speed"\r\n\r\n10\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="'
  const bodyBytes = Buffer.concat([
    Buffer.from(`${multipartHead}${fileName}"\r\nContent-Type: audio/flac\r\n\r\n`),
    songBytes,
    Buffer.from('\r\n--x--\r\n'),
  ])
  const headers = { ...createBearerHeader(token), 'content-type': 'multipart/form-data; boundary=x' }
  return site.app.inject({ method: 'POST', url: '/api/make/convert', headers, payload: bodyBytes })
}

/** Restarts the site with the fake program, and returns the function that converts a file of `name` and resolves with its address. */
async function openConvertingSite(): Promise<(token: string, name: string, bytes?: Buffer) => Promise<string>> {
  const { dataDir } = site
  const programPath = join(dataDir, 'program.cjs')
  await writeFile(programPath, FAKE_CONVERSION_PROGRAM)
  await site.close()
  site = await createTestApp({}, { nowMs: () => nowMs, conversionProgram: { mainFile: programPath, wasmKernelPath: '' } })
  await mkdir(dataDir, { recursive: true })
  await writeFile(programPath, FAKE_CONVERSION_PROGRAM)
  return async (token, fileName, songBytes) => {
    const response = await sendSong(token, fileName, songBytes)
    expect(response.statusCode, response.body).toBe(200)
    return response.json().data
  }
}

it('make convert: file names keep zero-width joiners, are cut only between characters, and lose the characters that file systems forbid', async () => {
  const convertSong = await openConvertingSite()
  const annToken = await createSubscriber('ann')
  await convertSong(annToken, 'He said %22hi%22.mp3')
  nowMs += 1000
  await convertSong(annToken, 'می\u200cخواهم.mp3')
  nowMs += 1000
  await convertSong(annToken, 'AC\\DC 👩‍👩‍👧.mp3')
  nowMs += 1000
  const url = await convertSong(annToken, `${'a'.repeat(150)}👩‍👩‍👧${'b'.repeat(9)}.mp3`)
  const names = (await listFiles(annToken)).data.map(({ file_name }: { file_name: string }) => file_name)
  expect(names).toEqual([`${'a'.repeat(150)} (+10%).mp3`, 'AC DC 👩‍👩‍👧 (+10%).mp3', 'می\u200cخواهم (+10%).mp3', 'He said hi (+10%).mp3'])
  expect((await site.app.inject(url)).statusCode).toBe(200)
})

it('make convert: a download can be resumed with ranges', async () => {
  const convertSong = await openConvertingSite()
  const body = Buffer.from(`fLaC ${'0123456789'.repeat(100)}`)
  const url = await convertSong(await createSubscriber('ann'), 'a.flac', body)
  const request = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') => site.app.inject({ method, url, headers })
  const firstPart = await request({ range: 'bytes=0-99' })
  expect([firstPart.statusCode, firstPart.headers['content-range'], firstPart.rawPayload.length]).toEqual([
    206,
    `bytes 0-99/${body.length}`,
    100,
  ])
  const remainingPart = await request({ range: 'bytes=100-', 'if-range': String(firstPart.headers.etag) })
  expect(Buffer.concat([firstPart.rawPayload, remainingPart.rawPayload]).equals(body)).toBe(true)
  expect((await request({ range: 'bytes=-5' })).body).toBe('56789')
  const responseBeyondEnd = await request({ range: 'bytes=999999999-' })
  expect([responseBeyondEnd.statusCode, responseBeyondEnd.headers['content-range']]).toEqual([416, `bytes */${body.length}`])
  for (const headers of [{ range: 'bytes=0-1,3-4' }, { range: 'lines=1-2' }, { range: 'bytes=0-9', 'if-range': '"other"' }])
    expect((await request(headers)).statusCode).toBe(200)
  expect((await request({}, 'HEAD')).headers).toMatchObject({ 'content-length': String(body.length), 'accept-ranges': 'bytes' })
})

it('make convert: a deleted folder of uploads is created again; if it cannot be, that is a failure of the server, and is logged', async () => {
  const convertSong = await openConvertingSite()
  const token = await createSubscriber('ann')
  const uploadsDir = join(site.dataDir, 'conversions')
  await rm(uploadsDir, { recursive: true })
  expect((await site.app.inject(await convertSong(token, 'a.flac'))).statusCode).toBe(200)
  await rm(uploadsDir, { recursive: true })
  await writeFile(uploadsDir, '')
  expect((await sendSong(token, 'b.flac')).json()).toMatchObject({ code: 500, message: 'Something went wrong on our side.' })
  expect(site.readLog()).toContain('EEXIST')
  await rm(uploadsDir)
})
