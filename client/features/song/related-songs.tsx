import { useId } from 'react'
import type { Song } from '../../../contract/song.ts'
import { SongList } from '../../components/song-list.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useRelatedSongs } from './use-related-songs.ts'

const SHOWN_SONG_COUNT = 6

const readCategoryId = (song: Song) => song.category_id

/** Songs of the same artist, then of the same category. Renders nothing if there are none. */
export function RelatedSongs({ song }: { song: Song }) {
  const headingId = useId()
  const songs = useRelatedSongs(song, SHOWN_SONG_COUNT)
  if (songs?.length === 0) return <span hidden />
  return (
    <section aria-labelledby={headingId}>
      <SectionHeading id={headingId}>Related songs</SectionHeading>
      {songs ? (
        <SongList songs={songs} getContextId={readCategoryId} numbered={false} label="Related songs" />
      ) : (
        <SkeletonRows count={SHOWN_SONG_COUNT} />
      )}
    </section>
  )
}
