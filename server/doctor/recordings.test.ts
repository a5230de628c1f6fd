import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { answerVideoRequest } from '../../e2e/stand-ins/video-platform.ts'
import { startSimulatedYoutube } from '../admin/youtube/testing/youtube-peer.ts'
import { DISCORD_CLIENT, startDiscordPeer } from '../discord/testing/discord-peer.ts'
import { createRecording, findDifferences, type Recording } from './recording.ts'

// Compares the stand-ins of the tests with recordings of the real services. The committed recordings were written by hand, following the public
// references of the services, and are replaced by those that `doctor --record server/doctor/recordings` makes with a network.

const readRecording = (name: string): Recording => JSON.parse(readFileSync(new URL(`./recordings/${name}.json`, import.meta.url), 'utf8'))

const readContentType = ({ headers }: Recording) => headers['content-type']?.split(';', 1)[0]?.toLowerCase()

async function expectAsRecorded(recordingName: string, response: Response): Promise<void> {
  const recordedAnswer = readRecording(recordingName)
  const standIn = createRecording(recordingName, response, await response.text())
  expect([standIn.status, readContentType(standIn)]).toEqual([recordedAnswer.status, readContentType(recordedAnswer)])
  if (recordedAnswer.body !== null) expect(findDifferences(recordedAnswer.body, standIn.body ?? 'null')).toEqual([])
}

it('the simulated YouTube Data API responds as the real one did when it was recorded', async () => {
  const peer = await startSimulatedYoutube()
  peer.videos.set('AAAAAAAAAA1', { title: 'One', ageRestricted: true })
  const url = `${peer.env.YOUTUBE_API_BASE}/videos?part=snippet&id=AAAAAAAAAA1&key=${peer.env.YOUTUBE_API_KEY}`
  await expectAsRecorded('youtube-videos', await fetch(url))
  peer.remainingQuota = 0
  await expectAsRecorded('youtube-error', await fetch(url))
  await peer.close()
})

it('the simulated Discord responds as the real one did when it was recorded', async () => {
  const peer = await startDiscordPeer()
  const redirect_uri = 'http://localhost/account/link_discord'
  const clientFields = { client_id: DISCORD_CLIENT.DISCORD_CLIENT_ID, client_secret: DISCORD_CLIENT.DISCORD_CLIENT_SECRET, redirect_uri }
  const queryParams = new URLSearchParams({ ...clientFields, response_type: 'code', scope: 'identify', state: 'x' })
  const consentResponse = await fetch(`${peer.url}/oauth2/authorize?${queryParams}`, { redirect: 'manual' })
  const authorizationCode = new URL(consentResponse.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const body = new URLSearchParams({ ...clientFields, grant_type: 'authorization_code', code: authorizationCode })
  await expectAsRecorded('discord-code-token', await fetch(`${peer.url}/api/oauth2/token`, { method: 'POST', body }))
  await peer.stop()
})

it.each([
  ['youtube-iframe-api', '/iframe_api'],
  ['youtube-embed', '/embed/AAAAAAAAAA1'],
])('the simulated YouTube player responds as recorded in %s', async (recordingName, filePath) => {
  const { status, contentType, body } = answerVideoRequest(new URL(filePath, 'https://www.youtube.com'), 'https://site.example/')
  await expectAsRecorded(recordingName, new Response(body, { status, headers: { 'content-type': contentType } }))
})
