import { expect, it } from 'vitest'
import { createSongRequestLog } from './song-requests.ts'

const songId = (number: number) => String(number).padStart(11, 'A')

it('song requests: a client that requests many songs displaces only its own remembered requests', () => {
  const requests = createSongRequestLog()
  requests.note({ ip: '192.0.2.1' }, `/api/song/get?s=${songId(1)}`)
  for (let number = 0; number < 50_000; number++) requests.add(`2001:db8::${(number % 1000).toString(16)}`, songId(number))
  expect(requests.has('192.0.2.1', songId(1))).toBe(true)
  expect(requests.has('2001:db8::1', songId(1))).toBe(false)
  expect(requests.has('2001:db8::1', songId(49_999))).toBe(true)
})
