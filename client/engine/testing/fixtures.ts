import type { SoundFile } from '../engine.ts'

/**
 * Small files that ffmpeg has made: `lavfi` tones of 1.2 s at 44.1 kHz, stereo, titled 'Sweep' by 'Fixture', and parts of it. Those called surround
 * are 5.1, with tones left and in the centre, and a loud one in the low-frequency channel.
 */
const urls: Record<string, string> = import.meta.glob('./fixtures/*', { query: '?url', import: 'default', eager: true })

export const fixtureNames = Object.keys(urls).map((path) => path.replace('./fixtures/', ''))

export async function fixtureBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(urls[`./fixtures/${name}`] ?? '')
  return new Uint8Array(await response.arrayBuffer())
}

export const fileOf = (name: string, bytes: BlobPart, type = ''): SoundFile => ({ name, blob: new Blob([bytes], { type }) })

export const fixture = async (name: string): Promise<SoundFile> => fileOf(name, await fixtureBytes(name))
