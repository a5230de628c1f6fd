import { useState } from 'react'
import { songHeading } from '../../../contract/page-titles.ts'
import { FAVORITES_ID } from '../../../contract/playlist-rules.ts'
import type { SongDetail } from '../../../contract/song.ts'
import { useFavoriteToggle } from '../../hooks/favorites.ts'
import { songPath } from '../../hooks/paths.ts'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { Action, ActionBar } from '../../ui/action-bar.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { ShareActions } from '../../ui/share-actions.tsx'
import { SleepAction } from '../../ui/sleep-action.tsx'

const ReportDialog = lazyDialog('Report this song', () => import('./report-dialog.tsx').then((module) => module.ReportDialog))

/** Renders the actions for the song on its page: favorite, copy link, sleep timer, report. */
export function SongActions({ song, contextId }: { song: SongDetail; contextId: string | undefined }) {
  const player = usePlayer()
  const [isReportOpen, setReportOpen] = useState(false)
  const { isFavorite: favorite, toggle } = useFavoriteToggle(song)
  const sleepTimer = usePlayerState((state) => state.sleep)
  // The favorites are private, so a shared link omits them as context.
  const path = songPath(song.youtube_id, contextId === FAVORITES_ID ? undefined : contextId)

  return (
    <>
      <ActionBar>
        <Action icon={favorite ? 'heart-filled' : 'heart'} label="Favorite" pressed={favorite} onClick={toggle} />
        <ShareActions path={path} title={songHeading(song)} />
        <SleepAction sleep={sleepTimer} onChoose={(sleep) => player.setSleep(sleep)} />
        <Action icon="flag" label="Report" onClick={() => setReportOpen(true)} />
      </ActionBar>
      <ReportDialog song={song} open={isReportOpen} onClose={() => setReportOpen(false)} />
    </>
  )
}
