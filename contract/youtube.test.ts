import { expect, it } from 'vitest'
import { parseVideoId } from './youtube.ts'

it('a video id: of an id and of the addresses of a video', () => {
  for (const text of [
    'dQw4w9WgXcQ',
    ' dQw4w9WgXcQ ',
    'https://youtu.be/dQw4w9WgXcQ?t=1',
    'http://www.youtube.com/watch?list=a&v=dQw4w9WgXcQ',
    'https://m.youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  ])
    expect(parseVideoId(text), text).toBe('dQw4w9WgXcQ')
})

it('a video id: of no other text, and of none that is longer than a link', () => {
  for (const text of [
    '',
    'dQw4w9WgXcQ1',
    'https://example.org/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/',
    'https://www.youtube.com/@someone',
    'https://',
    `https://youtu.be/dQw4w9WgXcQ?t=${'1'.repeat(2000)}`,
    `${' '.repeat(2000)}dQw4w9WgXcQ`,
  ])
    expect(parseVideoId(text), text.slice(0, 40)).toBeUndefined()
})
