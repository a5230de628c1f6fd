import { songNameFromFileName } from '../../../contract/file-name.ts'
import type { LoadedSound, MakerSettings } from '../../engine/engine.ts'

export interface VideoTexts {
  readonly title: string
  readonly description: string
}

interface VideoSubject {
  readonly title: string
  readonly artist: string
  readonly settings: MakerSettings
  readonly rate: number
  /** The URL of the original song; empty if it is not known. */
  readonly originalLink: string
}

/** Returns the title in the tags of the song's file, or the file name without its extension. */
export const songTitle = ({ title, name }: Pick<LoadedSound, 'title' | 'name'>): string => title?.trim() || songNameFromFileName(name)

/** Returns a description of the changes to the song, such as `slowed + reverb`; empty if speed and reverb are unchanged. */
export function describeChange({ rate, settings }: Pick<VideoSubject, 'rate' | 'settings'>): string {
  const speed = rate < 0.995 ? 'slowed' : rate > 1.005 ? 'sped up' : ''
  const reverb = settings.reverbAmount > 0 ? 'reverb' : ''
  return [speed, reverb].filter(Boolean).join(' + ')
}

/** Returns the title and the description for the page of a video platform. */
export function videoTexts(subject: VideoSubject): VideoTexts {
  const { title, artist, rate, originalLink } = subject
  const song = artist === '' ? title : `${artist} - ${title}`
  const change = describeChange(subject)
  const percent = `${Number((rate * 100).toFixed(1))} %`
  const lines = [
    change === '' ? song : `${song}, ${change}: ${percent} of the original speed.`,
    `Original: ${song}${originalLink === '' ? '' : `\n${originalLink}`}`,
  ]
  return { title: change === '' ? song : `${song} (${change})`, description: lines.join('\n\n') }
}
