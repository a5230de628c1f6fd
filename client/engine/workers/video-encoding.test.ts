import { expect, it } from 'vitest'
import { repairAvcRecord } from './video-encoding.ts'

const decodeHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))

/** The AVCDecoderConfigurationRecord that Firefox 153 made for a video of 1920 x 1080 pixels. */
const firefoxRecord = decodeHex('016400280301001a6767640028acd940780227e5840000030004007a12003c60c6580100066868ebecb22c')

it('repairAvcRecord: the duplicated first byte of a parameter set is removed, and reserved bits are set to 1', () => {
  expect(repairAvcRecord(firefoxRecord)).toEqual(
    decodeHex('01640028ffe1001967640028acd940780227e5840000030004007a12003c60c65801000568ebecb22c'),
  )
})

it('repairAvcRecord: a record without mistakes is unchanged', () => {
  const record = decodeHex('01640c28ffe1001167640c28ac191a80780227e5807844235001000468ce3c80')
  expect(repairAvcRecord(record)).toBe(record)
})
