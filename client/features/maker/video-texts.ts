import { toSongName } from '../../../contract/file-name.ts'
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
export const chooseSongTitle = ({ title, name }: Pick<LoadedSound, 'title' | 'name'>): string => title?.trim() || toSongName(name)

/** Returns a description of the changes to the song, such as `slowed + reverb`; empty if speed and reverb are unchanged. */
export function describeSoundChange({ rate, settings }: Pick<VideoSubject, 'rate' | 'settings'>): string {
  const speed = rate < 0.995 ? 'slowed' : rate > 1.005 ? 'sped up' : ''
  const reverb = settings.reverbAmount > 0 ? 'reverb' : ''
  return [speed, reverb].filter(Boolean).join(' + ')
}

/** Returns the title and the description for the page of a video platform. */
export function createVideoTexts(subject: VideoSubject): VideoTexts {
  const { title, artist, rate, originalLink } = subject
  const songName = artist === '' ? title : `${artist} - ${title}`
  const soundChangeText = describeSoundChange(subject)
  const percentText = `${Number((rate * 100).toFixed(1))} %`
  const descriptionLines = [
    soundChangeText === '' ? songName : `${songName}, ${soundChangeText}: ${percentText} of the original speed.`,
    `Original: ${songName}${originalLink === '' ? '' : `\n${originalLink}`}`,
  ]
  return { title: soundChangeText === '' ? songName : `${songName} (${soundChangeText})`, description: descriptionLines.join('\n\n') }
}
