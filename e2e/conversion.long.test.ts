import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { computeGainForPeak } from '../dsp/levels.ts'
import { computePlannedOutputFrames, planRender } from '../dsp/render-plan.ts'
import { createRenderer } from '../dsp/renderer.ts'
import { loadWasmKernel } from '../dsp/testing/kernels.ts'
import { type Site, startSite } from './server.ts'

let site: Site
let folderPath: string
beforeAll(async () => {
  folderPath = await mkdtemp(join(tmpdir(), 'varispeed-songs-'))
  site = await startSite({ RATE_LIMIT_SIGNUP: '1000' })
})
afterAll(async () => {
  await site.stop()
  await rm(folderPath, { recursive: true, force: true })
})

/** The members of response data that the tests read. */
type ConversionData = string & { state?: string } & { file_name: string; url: string }[]

let personCount = 0
/** Creates an account. Returns functions that call the API as this account. */
async function createPerson(memberRole?: 'subscriber') {
  const email = `person${++personCount}@example.com`
  await site.runAdmin(
    'user',
    'create',
    '--email',
    email,
    '--password',
    'tempo160',
    ...(memberRole === undefined ? [] : ['--role', memberRole]),
  )
  const response = await fetch(`${site.origin()}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'tempo160', returnSecureToken: true }),
  })
  const { idToken } = await response.json()
  const headers = { authorization: `Bearer ${idToken}` }
  const readEnvelope = async (answer: Response): Promise<{ code: number; message: string; data: ConversionData }> => answer.json()
  return {
    convert: async (fileBytes: Uint8Array<ArrayBuffer> | Buffer, fileName: string, formFields: Record<string, string> = {}) => {
      const form = new FormData()
      for (const [key, value] of Object.entries({ speed: '25', format: 'wav', ...formFields })) form.append(key, value)
      form.append('file', new Blob([new Uint8Array(fileBytes)]), fileName)
      return readEnvelope(await fetch(`${site.origin()}/api/make/convert`, { method: 'POST', headers, body: form }))
    },
    get: async (path: string) => readEnvelope(await fetch(`${site.origin()}/api${path}`, { headers })),
    post: async (urlPath: string, requestBody: object) =>
      readEnvelope(
        await fetch(`${site.origin()}/api${urlPath}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(requestBody),
        }),
      ),
  }
}
const downloadFile = async (url: string) => {
  const response = await fetch(site.origin() + url)
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
}

function runFfmpeg(...args: string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args])
  if (status !== 0) throw new Error(String(stderr))
}
/** Writes a stereo song of sines of 440 and 660 Hz. Returns the content of the file. */
async function createSong(fileName: string, durationS: number, ...codecArguments: string[]): Promise<Buffer> {
  const filePath = join(folderPath, fileName)
  const sines = `aevalsrc=0.5*sin(2*PI*440*t)|0.5*sin(2*PI*660*t):s=44100:d=${durationS}`
  runFfmpeg('-f', 'lavfi', '-i', sines, ...codecArguments, filePath)
  return readFile(filePath)
}

/** Reads a 16-bit WAV file. Returns one array of samples for each channel. */
function readWav(wavBytes: Buffer) {
  const channelCount = wavBytes.readUInt16LE(22)
  const sampleRate = wavBytes.readUInt32LE(24)
  const startByte = wavBytes.indexOf('data', 12, 'latin1') + 8
  const samples = new Int16Array(new Uint8Array(wavBytes.subarray(startByte)).buffer)
  const pickChannelSamples = (channel: number) => samples.filter((_, index) => index % channelCount === channel)
  return { channels: channelCount, sampleRate, samples, frames: samples.length / channelCount, ofChannel: pickChannelSamples }
}
/** Returns the frequency of a sine, measured by its zero crossings. */
function measureFrequency(samples: Int16Array, sampleRate: number): number {
  const middleSamples = samples.subarray(samples.length >> 2, (3 * samples.length) >> 2)
  let crossingCount = 0
  for (let index = 1; index < middleSamples.length; index++)
    if ((middleSamples[index - 1] ?? 0) < 0 && (middleSamples[index] ?? 0) >= 0) crossingCount++
  return (crossingCount * sampleRate) / middleSamples.length
}

const testedFormats: [name: string, ...codec: string[]][] = [
  ['song.mp3', '-c:a', 'libmp3lame', '-b:a', '192k'],
  ['song.wav', '-c:a', 'pcm_s16le'],
  ['song.pcm', '-f', 's16le'],
  ['song.aiff', '-c:a', 'pcm_s16be'],
  ['song.aac', '-c:a', 'aac', '-f', 'adts'],
  ['song.flac', '-c:a', 'flac'],
  ['song.m4a', '-c:a', 'alac'],
]

it.each(testedFormats)('conversion: %s has the right length, pitch and channels', async (formatName, ...codecArguments) => {
  const ownerPerson = await createPerson('subscriber')
  const { code, data } = await ownerPerson.convert(await createSong(formatName, 4, ...codecArguments), formatName)
  expect(code).toBe(200)
  const { status, body } = await downloadFile(data)
  expect(status).toBe(200)
  const { channels, sampleRate, frames, ofChannel } = readWav(body)
  expect([channels, sampleRate]).toEqual([2, 44_100])
  // Encoders of MP3 and AAC add silence.
  expect(Math.abs(frames / sampleRate - 4 / 1.25)).toBeLessThan(/mp3|aac/.test(formatName) ? 0.1 : 0.001)
  expect(Math.abs(measureFrequency(ofChannel(0), sampleRate) - 440 * 1.25)).toBeLessThan(1)
  expect(Math.abs(measureFrequency(ofChannel(1), sampleRate) - 660 * 1.25)).toBeLessThan(1)
})

it('conversion: the samples are bit for bit those of the sound that the page exports; MP3 has 320 kbps', async () => {
  const ownerPerson = await createPerson('subscriber')
  const song = await createSong('exact.wav', 5, '-c:a', 'pcm_s16le')
  const { ofChannel } = readWav(song)
  const channelSamples = [0, 1].map((channel) => Float32Array.from(ofChannel(channel), (sample) => sample / 32_768)) as [
    Float32Array,
    Float32Array,
  ]
  const renderPlan = planRender({ sampleRate: 44_100, rate: 1.25 })
  const frames = computePlannedOutputFrames(renderPlan, channelSamples[0].length)
  const renderedSamples = new Float32Array(2 * frames)
  const kernel = loadWasmKernel(64 * 2 ** 20)
  createRenderer(kernel).render(renderPlan, { channels: channelSamples, startFrame: 0 }, 0, renderedSamples)
  const expectedSamples = new Int16Array(renderedSamples.length)
  kernel.quantise(renderedSamples, computeGainForPeak(kernel.measurePeak(renderedSamples)), 0, expectedSamples)
  const { body } = await downloadFile((await ownerPerson.convert(song, 'exact.wav')).data)
  expect(Buffer.compare(Buffer.from(expectedSamples.buffer), Buffer.from(readWav(body).samples.buffer))).toBe(0)

  const mp3Bytes = await downloadFile((await ownerPerson.convert(song, 'exact.wav', { format: 'mp3' })).data)
  expect(mp3Bytes.body.length / ((4 * 320_000) / 8)).toBeGreaterThan(0.9)
  const history = (await ownerPerson.get('/make/history')).data
  expect(history.map(({ file_name }: { file_name: string }) => file_name)).toEqual(['exact (+25%).mp3', 'exact (+25%).wav'])
  expect((await downloadFile(history[0]?.url ?? '')).body.equals(mp3Bytes.body)).toBe(true)
})

it('conversion: files and jobs are private, signed and limited; after a restart, unfinished jobs start again', async () => {
  const ownerPerson = await createPerson('subscriber')
  const otherPerson = await createPerson('subscriber')
  const unsubscribedPerson = await createPerson()
  const song = await createSong('private.flac', 3, '-c:a', 'flac')
  expect((await unsubscribedPerson.convert(song, 'private.flac')).code).toBe(403)
  const job_id = randomUUID()
  const { data: url } = await ownerPerson.convert(song, 'private.flac', { job_id })
  expect((await otherPerson.get(`/make/status?job_id=${job_id}`)).code).toBe(404)
  expect((await otherPerson.post('/make/cancel', { job_id })).code).toBe(404)
  expect((await otherPerson.convert(song, 'private.flac', { job_id })).code).toBe(404)
  expect((await ownerPerson.get(`/make/status?job_id=${job_id}`)).data).toMatchObject({ state: 'done', progress: 1 })
  expect((await downloadFile(url.replace(/signature=.*/, 'signature=none'))).status).toBe(404)
  expect((await downloadFile(url.replace(/until=\d/, 'until=9'))).status).toBe(404)
  for (let count = 1; count < 20; count++) expect((await ownerPerson.convert(song, 'a.flac')).code).toBe(200)
  expect((await ownerPerson.convert(song, 'a.flac')).code).toBe(429)

  // Converting a song of 800 s takes some seconds. The test stops the server in this time.
  const longSong = await createSong('long.mp3', 800, '-c:a', 'libmp3lame', '-b:a', '96k')
  const longJobId = randomUUID()
  const sendLongSong = () => otherPerson.convert(longSong, 'long.mp3', { job_id: longJobId })
  // If the first request fails, it is sent again: it may have used a connection that the server closed after the refusal above. Both
  // requests have the same job id, so the server converts the song once.
  void sendLongSong().catch(() => sendLongSong().catch(() => undefined))
  await expect
    .poll(async () => (await otherPerson.get(`/make/status?job_id=${longJobId}`)).data?.state, { timeout: 30_000 })
    .toBe('running')
  const { dataDir, port } = site
  const stoppedSite = site
  site = await restartSite(stoppedSite, dataDir, port)
  await expect
    .poll(async () => (await otherPerson.get(`/make/status?job_id=${longJobId}`)).data, { timeout: 20_000 })
    .toMatchObject({ state: 'done' })

  const cancelledJobId = randomUUID()
  const pendingConversion = otherPerson.convert(longSong, 'long.mp3', { job_id: cancelledJobId })
  await expect
    .poll(async () => (await otherPerson.get(`/make/status?job_id=${cancelledJobId}`)).data?.state, { timeout: 30_000 })
    .toBe('running')
  expect((await otherPerson.post('/make/cancel', { job_id: cancelledJobId })).code).toBe(200)
  expect(await pendingConversion).toMatchObject({ code: 400, message: 'The conversion was cancelled.' })
  expect((await otherPerson.post('/account/delete', {})).code).toBe(200)
}, 240_000)

/** Ends the server's process without deleting its data, and starts it again. */
async function restartSite(stoppedSite: Site, dataDir: string, port: number): Promise<Site> {
  process.kill(stoppedSite.pid, 'SIGTERM')
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => 'up',
          () => 'down',
        ),
      { timeout: 30_000 },
    )
    .toBe('down')
  return startSite({ RATE_LIMIT_SIGNUP: '1000', DATA_DIR: dataDir, PORT: String(port) })
}

it('conversion: each of 200 hostile uploads gets a result or a clear refusal within 60 s', async () => {
  const songs = await Promise.all(
    testedFormats.map(async ([name, ...codec]) => ({ name, file: await createSong(`hostile-${name}`, 2, ...codec) })),
  )
  const nineteenHourSong = await createSong('silence.flac', 1, '-c:a', 'flac')
  runFfmpeg(
    '-f',
    'lavfi',
    '-i',
    'anullsrc=r=8000:cl=mono',
    '-t',
    '68400',
    '-c:a',
    'flac',
    '-frame_size',
    '16384',
    join(folderPath, 'hours.flac'),
  )
  const oddUploads: { name: string; file: Buffer }[] = [
    { name: 'hours.flac', file: await readFile(join(folderPath, 'hours.flac')) },
    { name: 'playlist.mp3', file: Buffer.from('#EXTM3U\n#EXTINF:10\nfile:///etc/passwd\n') },
    { name: 'concat.mp3', file: Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n") },
    { name: 'empty.mp3', file: Buffer.alloc(0) },
    { name: 'large.mp3', file: Buffer.alloc(10 * 1024 * 1024 + 1) },
    { name: 'zeros.mp3', file: Buffer.alloc(10 * 1024 * 1024) },
    { name: 'text.pcm', file: Buffer.from('ab') },
    { name: 'zip.wav', file: Buffer.from('PK\u0003\u0004'.repeat(1000)) },
  ]
  let randomSeed = 1
  const drawRandomNumber = (upperLimit: number) => {
    randomSeed = (randomSeed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((randomSeed / 2 ** 31) * upperLimit)
  }
  while (oddUploads.length < 200) {
    const { name, file } = songs[oddUploads.length % songs.length] ?? { name: 'a.flac', file: nineteenHourSong }
    const alteredFile = Buffer.from(file)
    const uploadKind = oddUploads.length % 3
    if (uploadKind === 0) oddUploads.push({ name, file: alteredFile.subarray(0, drawRandomNumber(alteredFile.length)) })
    else if (uploadKind === 1) {
      for (let flip = 0; flip < 50; flip++) alteredFile[drawRandomNumber(alteredFile.length)] = drawRandomNumber(256)
      oddUploads.push({ name, file: alteredFile })
    } else oddUploads.push({ name: songs[drawRandomNumber(songs.length)]?.name ?? name, file: alteredFile })
  }
  const countByStatus = new Map<number, number>()
  let slowestMs = 0
  for (let index = 0; index < oddUploads.length; ) {
    const ownerPerson = await createPerson('subscriber')
    for (let uploadCount = 0; uploadCount < 20 && index < oddUploads.length; uploadCount++, index++) {
      const oddUpload = oddUploads[index]
      if (oddUpload === undefined) break
      const startMs = performance.now()
      const { code, message } = await ownerPerson.convert(oddUpload.file, oddUpload.name)
      slowestMs = Math.max(slowestMs, performance.now() - startMs)
      countByStatus.set(code, (countByStatus.get(code) ?? 0) + 1)
      if (oddUpload.name === 'hours.flac') expect(message).toContain('too long')
      expect([200, 400, 413], `${oddUpload.name}: ${code} ${message}`).toContain(code)
      expect((await fetch(`${site.origin()}/healthz`)).status).toBe(200)
    }
  }
  expect(slowestMs).toBeLessThan(60_000)
  const processStatus = await readFile(`/proc/${site.pid}/status`, 'utf8')
  const peakMemoryMb = Number(/VmHWM:\s+(\d+)/.exec(processStatus)?.[1]) / 1000
  console.info(
    `200 uploads: ${JSON.stringify([...countByStatus])}, slowest ${Math.round(slowestMs)} ms, memory of the server ${Math.round(peakMemoryMb)} MB at most`,
  )
  expect(peakMemoryMb).toBeLessThan(600)
})

it('conversion: a client that does not read the file sent to it does not keep the server from an orderly stop', async () => {
  const ownerPerson = await createPerson('subscriber')
  const { data: url } = await ownerPerson.convert(await createSong('long.mp3', 120), 'long.mp3', { speed: '-50' })
  const socket = connect({ port: site.port, host: '127.0.0.1' }).on('error', () => undefined)
  socket.write(`GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [headBytes] = await once(socket, 'data')
  socket.pause()
  expect(String(headBytes)).toMatch(/^HTTP\/1\.1 200/)
  expect(await site.stop()).toBe(0)
  socket.destroy()
})
