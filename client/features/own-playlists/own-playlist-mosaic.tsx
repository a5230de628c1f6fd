import { useOwnPlaylistSummary } from '../../hooks/own-playlists.ts'
import { CoverMosaic } from './cover-mosaic.tsx'

/** The mosaic of covers on the page of an own playlist. */
export function OwnPlaylistMosaic({ id }: { id: string }) {
  const summary = useOwnPlaylistSummary(id)
  return summary ? <CoverMosaic songIds={summary.firstSongIds} width="(max-width: 600px) 44vw, 200px" /> : null
}
