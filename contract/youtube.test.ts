import { expect, it } from 'vitest'
import { parseVideoId, parseYoutubePlaylistId } from './youtube.ts'

it('video id: the id is found in an id itself and in every form of a video’s URL', () => {
  for (const text of [
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
    expect(parseVideoId(text), text).toBe('dQw4w9WgXcQ')
})

it('video id: no id is found in other text, nor in text that is longer than a link can be', () => {
  for (const text of [
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
    expect(parseVideoId(text), text.slice(0, 40)).toBeUndefined()
})

it('playlist id: the id is found in an id itself and in addresses of YouTube with the parameter `list`', () => {
  const id = 'PLFgquLnL59alCl_2TQvOiD5Vgm1hCaGSI'
  for (const text of [
    id,
    ` ${id} `,
    `https://www.youtube.com/playlist?list=${id}`,
    `https://music.youtube.com/playlist?list=${id}&si=abc`,
    `youtube.com/watch?v=dQw4w9WgXcQ&list=${id}`,
    `https://youtu.be/dQw4w9WgXcQ?list=${id}`,
  ])
    expect(parseYoutubePlaylistId(text), text).toBe(id)
  for (const text of [
    '',
    'dQw4w9WgXcQ',
    `https://example.org/playlist?list=${id}`,
    'https://www.youtube.com/playlist',
    'my playlist',
    `${id}/x`,
  ])
    expect(parseYoutubePlaylistId(text), text).toBeUndefined()
})
