import type { Song } from '../../../contract/song.ts'
import { CoverMosaic } from './cover-mosaic.tsx'

/** The mosaic of covers on the page of a playlist that a person has made. */
export function PlaylistMosaic({ songs }: { songs: readonly Song[] }) {
  return <CoverMosaic songIds={[...new Set(songs.map(({ youtube_id }) => youtube_id))]} width="(max-width: 600px) 44vw, 200px" />
}
