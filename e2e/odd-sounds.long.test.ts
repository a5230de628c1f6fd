import { afterAll, beforeAll, expect, it } from 'vitest'
import { readWav } from '../dsp/read-wav.ts'
import {
  createOddAudioFiles,
  describeDifferences,
  measureExpectedSound,
  measureSound,
  type OddAudioFile,
  removeOddAudioFiles,
} from './odd-sounds.ts'
import { type Site, startSite } from './server.ts'

let site: Site
let token = ''
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SIGNUP: '1000', RATE_LIMIT_CONVERSIONS: '1000' })
  const credentials = { email: 'person@example.com', password: 'tempo160' }
  await site.runAdmin('user', 'create', '--email', credentials.email, '--password', credentials.password, '--role', 'subscriber')
  const response = await fetch(`${site.origin()}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...credentials, returnSecureToken: true }),
  })
  token = (await response.json()).idToken
})
afterAll(async () => {
  removeOddAudioFiles()
  await site.stop()
})

async function convertSound({ name, content }: OddAudioFile): Promise<{ code: number; message: string; data: string }> {
  const form = new FormData()
  form.append('speed', '0')
  form.append('format', 'wav')
  form.append('file', new Blob([new Uint8Array(content)]), name)
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${site.origin()}/api/make/convert`, { method: 'POST', headers, body: form })).json()
}

it('conversion: damaged and unusual audio files are decoded as by ffmpeg', async () => {
  const faultTexts: string[] = []
  for (const oddSound of createOddAudioFiles().filter(({ isPageOnly }) => isPageOnly !== true)) {
    const { code, message, data } = await convertSound(oddSound)
    if (code !== 200) {
      faultTexts.push(`${oddSound.name}: ${message}`)
      continue
    }
    const wav = await readWav(new Uint8Array(await (await fetch(site.origin() + data)).arrayBuffer()))
    const expected = await measureExpectedSound(oddSound)
    for (const difference of describeDifferences(measureSound(wav), expected, oddSound.toleranceS))
      faultTexts.push(`${oddSound.name}: ${difference}`)
  }
  expect(faultTexts).toEqual([])
})
