import { execFile } from 'node:child_process'
import { mkdtemp, readlink, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureCachedPackage } from '../../scripts/cached-package.mjs'
import { createMinimalEnvironment, type Site, startSite } from '../server.ts'
import { requestOverHttp } from './proxy-requests.ts'
import { createSilentWav } from './silent-wav.ts'

// A copy of this checkout with its packages is built and run by several versions of Node: the oldest that package.json allows, and one of
// each later line. Each version replaces the previous one, so the database driver is compiled again, as after an update of Node.

const nodeVersions = ['20.19.0', '22.23.3', '24.21.0']

const projectRoot = fileURLToPath(new URL('../..', import.meta.url))
const runProgram = promisify(execFile)
let workFolder = ''
beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'varispeed-node-'))
  await runProgram('sh', ['-c', 'git ls-files -z | xargs -0 cp --parents -t "$0" && cp -a node_modules "$0"', workFolder], {
    cwd: projectRoot,
  })
})
afterAll(() => rm(workFolder, { recursive: true, force: true }))

describe.each(nodeVersions)('Node %s', (nodeVersion) => {
  let executableSearchPath = ''
  let nodeFilePath = ''
  let site: Site
  const runNpm = (args: string[], settings: Record<string, string> = {}) =>
    runProgram('npm', args, { cwd: workFolder, env: createMinimalEnvironment({ PATH: executableSearchPath, ...settings }) })
  const runAdmin = async (...args: string[]) => (await runNpm(['run', 'admin', '--', ...args], { DATA_DIR: site.dataDir })).stdout.trim()

  beforeAll(async () => {
    // The package `node` installs a package for the platform, which contains the program and its headers.
    nodeFilePath = await realpath(join(ensureCachedPackage(`node-linux-${process.arch}`, nodeVersion, 190), 'bin/node'))
    executableSearchPath = `${dirname(nodeFilePath)}:${process.env.PATH}`
    await runNpm(['run', 'build'])
    site = await startSite({ PATH: executableSearchPath }, { programFile: join(workFolder, 'scripts/start.mjs'), nodeFile: nodeFilePath })
  }, 20 * 60_000)
  afterAll(() => site?.stop())

  const callSite = async (urlPath: string, requestBody?: object | FormData, headers: Record<string, string> = {}) => {
    const isFormBody = requestBody instanceof FormData
    const response = await fetch(site.origin() + urlPath, {
      headers: { ...headers, ...(requestBody === undefined || isFormBody ? {} : { 'content-type': 'application/json' }) },
      ...(requestBody === undefined ? {} : { method: 'POST', body: isFormBody ? requestBody : JSON.stringify(requestBody) }),
    })
    expect([urlPath, response.status]).toEqual([urlPath, 200])
    return response
  }
  const callApi = async (...args: Parameters<typeof callSite>) => (await (await callSite(...args)).json()).data

  it('the intended version of Node runs the server', async () => {
    expect(await readlink(`/proc/${site.pid}/exe`)).toBe(nodeFilePath)
    expect(await (await callSite('/healthz')).text()).not.toBe('')
  })

  it('the home pages of both brands are served', async () => {
    for (const [hostName, brand] of [
      ['localhost', 'nightcore-meridian'],
      ['slowedreverb.localhost', 'slowed-reverb-meridian'],
    ] as const) {
      const pageResponse = await requestOverHttp({ httpPort: site.port }, hostName, '/')
      expect([pageResponse.status, pageResponse.body]).toEqual([200, expect.stringContaining('<h1')])
      const { body } = await requestOverHttp({ httpPort: site.port }, hostName, '/api/site')
      expect(JSON.parse(body).data.brand).toBe(brand)
    }
  })

  it('an account can find a song, add it to its favorites, and convert a file', async () => {
    const identityPath = '/identitytoolkit.googleapis.com/v1/accounts'
    const credentials = { email: 'ann@example.com', password: 'secret words', returnSecureToken: true }
    await callSite(`${identityPath}:signUp?key=any`, credentials)
    const { idToken } = await (await callSite(`${identityPath}:signInWithPassword?key=any`, credentials)).json()
    const headers = { authorization: `Bearer ${idToken}` }

    const { youtube_id, title } = await callApi('/api/radio/get')
    const foundSongs = await callApi(`/api/song/search?s=${encodeURIComponent(title)}`)
    expect(foundSongs).toContainEqual(expect.objectContaining({ youtube_id }))
    await callApi('/api/favorite/add', { s: youtube_id }, headers)
    expect(await callApi('/api/favorite/getall', undefined, headers)).toMatchObject([{ youtube_id, title }])

    expect(await runAdmin('user', 'list')).toContain(credentials.email)
    await runAdmin('user', 'grant', '--email', credentials.email, '--role', 'subscriber')
    const form = new FormData()
    form.set('speed', '25')
    form.set('file', new File([createSilentWav(200_000)], 'song.wav', { type: 'audio/wav' }))
    const convertedFile = await callSite(await callApi('/api/make/convert', form, headers))
    expect([convertedFile.headers.get('content-type'), (await convertedFile.arrayBuffer()).byteLength]).toEqual([
      'audio/mpeg',
      expect.toSatisfy((bytes) => bytes > 10_000),
    ])
  })

  it('a picture is served', async () => {
    const { youtube_id } = await callApi('/api/radio/get')
    const picture = await callSite(`/img/song/${youtube_id}/320`, undefined, { accept: 'image/webp' })
    expect(picture.headers.get('content-type')).toBe('image/webp')
    expect(Buffer.from(await picture.arrayBuffer()).toString('latin1')).toMatch(/^RIFF.{4}WEBP/s)
  })

  it('a message to the team is stored, and the admin command changes a setting', async () => {
    await callApi('/api/contact/request', { topic: 'song-report', message: 'A report of a song' })
    expect(await runAdmin('contact', 'list')).toContain('A report of a song')
    await runAdmin('settings', 'set', 'HERO_TITLE', 'For all')
    expect(await runAdmin('settings', 'get', 'HERO_TITLE')).toBe('For all')
  })

  it('SIGTERM ends the server with code 0, and Node has logged no warning', async () => {
    expect(await site.stop()).toBe(0)
    expect(site.readLog()).not.toMatch(/\(node:\d+\)/)
  })
})
