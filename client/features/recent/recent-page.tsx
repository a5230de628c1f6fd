import { SongList } from '../../components/song-list.tsx'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './recent.module.css'
import { useClearHistory, useRecentSongs } from './use-recent-plays.ts'

/** The time in milliseconds for which the Undo button is shown. */
const UNDO_OFFERED_MS = 10_000

/** The page with the songs that were played on this device, and the button that clears them. */
export function RecentPage() {
  const recentSongs = useRecentSongs()
  const clearHistory = useClearHistory()
  const toast = useChangeToast()
  const clearAndOfferUndo = () =>
    clearHistory().then(
      (undoClear) => {
        // Moves the focus to the main content, because the pressed button is removed.
        document.getElementById('main')?.focus({ preventScroll: true })
        toast({
          text: 'Your history is cleared.',
          kind: 'good',
          durationMs: UNDO_OFFERED_MS,
          action: {
            label: 'Undo',
            onSelect: () => void undoClear().catch(() => toast({ text: 'Your history could not be restored.', kind: 'bad' })),
          },
        })
      },
      () => toast({ text: 'Your history could not be cleared.', kind: 'bad' }),
    )
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <SectionHeading
        level={1}
        endContent={
          <a className={typeStyles.link} href="/year">
            Your year
          </a>
        }
      >
        Recently played
      </SectionHeading>
      <div className={classNames(typeStyles.muted, styles.note)}>
        <p>The history is kept on this device only. It is cleared when you sign out.</p>
        {recentSongs && recentSongs.songs.length > 0 && (
          <button type="button" className={typeStyles.link} onClick={() => void clearAndOfferUndo()}>
            Clear history
          </button>
        )}
      </div>
      {!recentSongs ? (
        <SkeletonRows count={8} />
      ) : recentSongs.songs.length === 0 ? (
        <EmptyState
          title="Nothing played yet"
          text="Songs you play on this device appear here."
          action={<Button to="/playlists">Browse playlists</Button>}
        />
      ) : (
        <SongList songs={recentSongs.songs} getContextId={recentSongs.getContextId} numbered={false} label="Recently played" />
      )}
    </div>
  )
}
