import { expect, it } from 'vitest'
import { createSongRequestLog } from './song-requests.ts'

const createSongId = (number: number) => String(number).padStart(11, 'A')

it('song requests: a client that requests many songs displaces only its own remembered requests', () => {
  const songRequestLog = createSongRequestLog()
  songRequestLog.note({ ip: '192.0.2.1' }, `/api/song/get?s=${createSongId(1)}`)
  for (let number = 0; number < 50_000; number++) songRequestLog.add(`2001:db8::${(number % 1000).toString(16)}`, createSongId(number))
  expect(songRequestLog.has('192.0.2.1', createSongId(1))).toBe(true)
  expect(songRequestLog.has('2001:db8::1', createSongId(1))).toBe(false)
  expect(songRequestLog.has('2001:db8::1', createSongId(49_999))).toBe(true)
})
