import type { SoundFile } from '../engine.ts'

/**
 * Small files made with ffmpeg: `lavfi` tones of up to 1.2 s, most at 44.1 kHz and in stereo, with the title 'Sweep' and the artist
 * 'Fixture'. The surround files are 5.1, with tones in the left and the centre channel, and a loud one in the low-frequency channel.
 * `long.ogg` has 50 s at 8 kHz, with a page for each half second.
 */
const fixtureUrls: Record<string, string> = import.meta.glob('./fixtures/*', { query: '?url', import: 'default', eager: true })

export const fixtureNames = Object.keys(fixtureUrls).map((path) => path.replace('./fixtures/', ''))

export async function readFixtureBytes(fixtureName: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(fixtureUrls[`./fixtures/${fixtureName}`] ?? '')
  return new Uint8Array(await response.arrayBuffer())
}

export const createSoundFile = (name: string, bytes: BlobPart, type = ''): SoundFile => ({ name, blob: new Blob([bytes], { type }) })

export const loadFixtureFile = async (name: string): Promise<SoundFile> => createSoundFile(name, await readFixtureBytes(name))
