import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createYoutubeReader } from '../http/youtube-reader.ts'
import { createLog } from '../log.ts'
import { createUploadLister } from './uploads.ts'

const silentLog = createLog('silent')

let closeServer = async () => {}
afterEach(() => closeServer())

/** Starts a server that answers each resource of the YouTube Data API with a body, or with a status. */
async function startApi(answerByResource: Record<string, unknown>) {
  const requestedUrls: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api')
    const resourceName = pathname.slice(1)
    requestedUrls.push(`${resourceName} ${searchParams.get('forHandle') ?? searchParams.get('id') ?? searchParams.get('playlistId')}`)
    const answer = answerByResource[resourceName]
    if (typeof answer === 'number') response.writeHead(answer).end('{}')
    else response.writeHead(200, { 'content-type': 'application/json' }).end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeServer = async () => {
    server.close()
    await once(server, 'close')
  }
  // The cast is safe, because the server listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    asked: requestedUrls,
    list: createUploadLister(createYoutubeReader({ apiKey: 'key', apiBase: `http://127.0.0.1:${port}` }, silentLog)),
  }
}

const channelsAnswer = { items: [{ contentDetails: { relatedPlaylists: { uploads: 'UUann' } } }] }
const createUpload = (videoId: string, videoTitle: string, privacyStatus = 'public') => ({
  snippet: { title: videoTitle },
  contentDetails: { videoId },
  status: { privacyStatus },
})
const channelId = `UC${'a'.repeat(22)}`

it("uploads: at most eight of a channel's newest public videos are listed; a handle or an id selects the channel", async () => {
  const uploadedVideos = Array.from({ length: 12 }, (_, index) =>
    createUpload(`AAAAAAAAA${10 + index}`, `Video ${index}`, index === 1 ? 'private' : 'public'),
  )
  const { asked, list } = await startApi({ channels: channelsAnswer, playlistItems: { items: uploadedVideos } })
  const listedUploads = await list?.('https://www.youtube.com/@ann')
  expect(listedUploads?.map(({ title }) => title)).toEqual([0, 2, 3, 4, 5, 6, 7, 8].map((index) => `Video ${index}`))
  expect(listedUploads?.[0]?.url).toBe('https://www.youtube.com/watch?v=AAAAAAAAA10')
  await list?.(`https://www.youtube.com/channel/${channelId}`)
  expect(asked).toEqual(['channels @ann', 'playlistItems UUann', `channels ${channelId}`, 'playlistItems UUann'])
  // The list of a channel is cached, so that a repeated call sends no request to the API.
  expect(await list?.('https://www.youtube.com/@ann')).toEqual(listedUploads)
  expect(asked).toHaveLength(4)
})

it('uploads: a channel is found by a percent-encoded handle, as browsers copy handles in other scripts, and by a handle with a bare percent sign', async () => {
  const { asked, list } = await startApi({ channels: channelsAnswer, playlistItems: { items: [createUpload('AAAAAAAAA10', 'Video')] } })
  expect(await list?.('https://www.youtube.com/@%E5%A4%9C/videos')).toHaveLength(1)
  expect(await list?.('https://www.youtube.com/@100%')).toHaveLength(1)
  expect(asked.filter((each) => each.startsWith('channels'))).toEqual(['channels @夜', 'channels @100%'])
})

it('uploads: without an API key, uploads cannot be listed; an unknown channel and a channel without videos have an empty list; if the API fails or its response has an unknown structure, listing fails with 503', async () => {
  expect(createUploadLister(createYoutubeReader({ apiKey: undefined, apiBase: 'http://127.0.0.1:1' }, silentLog))).toBeUndefined()
  const emptyApi = await startApi({ channels: { items: [] } })
  expect([await emptyApi.list?.(''), await emptyApi.list?.('https://www.youtube.com/@nobody')]).toEqual([[], []])
  await closeServer()
  const apiWithoutVideos = await startApi({ channels: channelsAnswer, playlistItems: 404 })
  expect(await apiWithoutVideos.list?.('@ann')).toEqual([])
  await closeServer()
  for (const answerByResource of [
    { channels: 403 },
    { channels: '<html>' },
    { channels: { items: 'x' } },
    { channels: channelsAnswer, playlistItems: { items: [{}] } },
  ]) {
    const { list } = await startApi(answerByResource)
    await expect(list?.('@ann')).rejects.toMatchObject({ code: 503 })
    await closeServer()
  }
  closeServer = async () => {}
  await expect(
    createUploadLister(createYoutubeReader({ apiKey: 'key', apiBase: 'http://127.0.0.1:1' }, silentLog))?.('@ann'),
  ).rejects.toMatchObject({ code: 503 })
})
