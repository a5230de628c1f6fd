import { type FormEvent, useCallback, useState } from 'react'
import { isShareToken } from '../../../contract/own-playlist-rules.ts'
import { NOT_FOUND_HEADING } from '../../../contract/page-titles.ts'
import { sharedPlaylistContextId } from '../../../contract/playlist-rules.ts'
import { LoadFailureOrStaleNotice } from '../../components/load-failure.tsx'
import { MissingContentPage } from '../../components/not-found.tsx'
import { SongList } from '../../components/song-list.tsx'
import { usePlaylist } from '../../hooks/catalogue.ts'
import { ownPlaylistContextId, ownPlaylistFailure, useOwnPlaylistStore } from '../../hooks/own-playlists.ts'
import { usePageTitle } from '../../hooks/page-title.ts'
import { playlistPath, songPath, useNavigateTo } from '../../hooks/paths.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextAreaField } from '../../ui/form-controls.tsx'
import { formatPlural } from '../../ui/format.ts'
import { linkify } from '../../ui/linkify.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { CoverMosaic } from './cover-mosaic.tsx'
import styles from './own-playlists.module.css'
import { useReportPlaylist } from './use-shared-playlist.ts'

/** The public page of a playlist that its owner shares. */
export function SharedPlaylistPage({ token }: { token: string }) {
  const contextId = sharedPlaylistContextId(token)
  const getContextId = useCallback(() => contextId, [contextId])
  const loaded = usePlaylist(contextId)
  const { playlist, songs = [] } = loaded.data ?? {}
  const store = useOwnPlaylistStore()
  const toast = useToast()
  const go = useNavigateTo()
  const [isReporting, setReporting] = useState(false)
  const isMissing = !isShareToken(token) || (loaded.status === 'error' && loaded.error?.code === 404)
  usePageTitle(isMissing ? NOT_FOUND_HEADING : playlist?.title)
  if (isMissing) return <MissingContentPage kind="playlist" />
  const firstSongIds = [...new Set(songs.map(({ youtube_id }) => youtube_id))].slice(0, 4)

  const saveCopy = async () => {
    if (!store || !playlist) return
    try {
      const { title, description } = playlist
      const id = await store.ownPlaylists.create(store.uid, { title, description, songs })
      go(playlistPath(ownPlaylistContextId(id)))
      toast({ kind: 'good', text: 'Saved to your playlists', subject: title })
    } catch (cause) {
      toast({ kind: 'bad', text: ownPlaylistFailure(cause) })
    }
  }

  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <SectionHeading level={1}>{playlist?.title ?? 'Playlist'}</SectionHeading>
      <LoadFailureOrStaleNotice loaded={loaded} />
      {loaded.status === 'loading' && <SkeletonRows count={8} />}
      {playlist && (
        <>
          <div className={styles.shared}>
            <Cover
              src={firstSongIds[0] === undefined ? '' : `/img/song/${firstSongIds[0]}`}
              ratio="square"
              width="(max-width: 600px) 88vw, 300px"
              alt=""
              className={styles.sharedCover}
            >
              <CoverMosaic songIds={firstSongIds} width="(max-width: 600px) 44vw, 150px" />
            </Cover>
            <div className={styles.form}>
              <p className={typeStyles.muted}>
                {formatPlural(playlist.song_count, 'song')}
                {playlist.category_name !== '' && `, by ${playlist.category_name}`}
              </p>
              {playlist.description !== '' && <p className={typeStyles.lead}>{linkify(playlist.description)}</p>}
              <div className={styles.buttons}>
                {songs[0] && (
                  <Button size="big" variant="primary" icon="play" to={songPath(songs[0].youtube_id, contextId)}>
                    Play
                  </Button>
                )}
                <Button size="big" icon="plus" disabled={!store} onClick={() => void saveCopy()}>
                  Save a copy
                </Button>
                <Button size="big" variant="tertiary" icon="flag" onClick={() => setReporting(true)}>
                  Report
                </Button>
              </div>
            </div>
          </div>
          {songs.length === 0 ? (
            <EmptyState title="No songs found" text="This playlist is empty" />
          ) : (
            <SongList songs={songs} getContextId={getContextId} label={`Songs of ${playlist.title}`} />
          )}
          <Dialog open={isReporting} onClose={() => setReporting(false)} title="Report this playlist">
            <ReportForm token={token} onClose={() => setReporting(false)} />
          </Dialog>
        </>
      )}
    </div>
  )
}

function ReportForm({ token, onClose }: { token: string; onClose: () => void }) {
  const report = useReportPlaylist(token)
  const toast = useToast()
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim()
    const { isSent, message } = await report(reason)
    toast({ kind: isSent ? 'good' : 'bad', text: message })
    if (isSent) onClose()
  }
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)}>
      <TextAreaField label="What is wrong with this playlist?" name="reason" rows={4} minLength={3} maxLength={500} required />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary">
          Send report
        </Button>
        <Button variant="tertiary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
