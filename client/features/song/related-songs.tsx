import { type ReactNode, useId } from 'react'
import type { Song } from '../../../contract/song.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useRelatedSongs } from './use-related-songs.ts'

const SHOWN_SONGS = 6

export interface RelatedSongsProps {
  song: Song
  /** Renders songs as a list with an accessible name. */
  renderList: (songs: readonly Song[], label: string) => ReactNode
}

/** Songs of the same artist, then of the same category. Renders nothing if there are none. */
export function RelatedSongs({ song, renderList }: RelatedSongsProps) {
  const headingId = useId()
  const songs = useRelatedSongs(song, SHOWN_SONGS)
  if (songs?.length === 0) return <span hidden />
  return (
    <section aria-labelledby={headingId}>
      <SectionHeading id={headingId}>Related songs</SectionHeading>
      {songs ? renderList(songs, 'Related songs') : <SkeletonRows count={SHOWN_SONGS} />}
    </section>
  )
}
