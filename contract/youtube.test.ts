import { expect, it } from 'vitest'
import { parseVideoId, parseYoutubePlaylistId } from './youtube.ts'

it('video id: the id is found in an id itself and in every form of a video’s URL', () => {
  for (const videoText of [
    'dQw4w9WgXcQ',
    ' dQw4w9WgXcQ ',
    'https://youtu.be/dQw4w9WgXcQ?t=1',
    'http://www.youtube.com/watch?list=a&v=dQw4w9WgXcQ',
    'https://m.youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RD1',
    'youtube.com/watch?v=dQw4w9WgXcQ',
    'www.youtu.be/dQw4w9WgXcQ?si=abc&t=42',
    '//youtu.be/dQw4w9WgXcQ',
    '/watch?v=dQw4w9WgXcQ',
  ])
    expect(parseVideoId(videoText), videoText).toBe('dQw4w9WgXcQ')
})

it('video id: no id is found in other text, nor in text that is longer than a link can be', () => {
  for (const videoText of [
    '',
    'dQw4w9WgXcQ1',
    'https://example.org/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/',
    'https://www.youtube.com/@someone',
    'https://',
    'example.org/watch?v=dQw4w9WgXcQ',
    'ftp://youtu.be/dQw4w9WgXcQ',
    'javascript://youtu.be/dQw4w9WgXcQ',
    'watch this: dQw4w9WgXcQ',
    `https://youtu.be/dQw4w9WgXcQ?t=${'1'.repeat(2000)}`,
    `${' '.repeat(2000)}dQw4w9WgXcQ`,
  ])
    expect(parseVideoId(videoText), videoText.slice(0, 40)).toBeUndefined()
})

it('playlist id: the id is found in an id itself and in addresses of YouTube with the parameter `list`', () => {
  const playlistId = 'PLFgquLnL59alCl_2TQvOiD5Vgm1hCaGSI'
  for (const playlistText of [
    playlistId,
    ` ${playlistId} `,
    `https://www.youtube.com/playlist?list=${playlistId}`,
    `https://music.youtube.com/playlist?list=${playlistId}&si=abc`,
    `youtube.com/watch?v=dQw4w9WgXcQ&list=${playlistId}`,
    `https://youtu.be/dQw4w9WgXcQ?list=${playlistId}`,
  ])
    expect(parseYoutubePlaylistId(playlistText), playlistText).toBe(playlistId)
  for (const playlistText of [
    '',
    'dQw4w9WgXcQ',
    `https://example.org/playlist?list=${playlistId}`,
    'https://www.youtube.com/playlist',
    'my playlist',
    `${playlistId}/x`,
  ])
    expect(parseYoutubePlaylistId(playlistText), playlistText).toBeUndefined()
})
