import { type FormEvent, useState } from 'react'
import { PLAYLIST_TITLE_MAX_LENGTH } from '../../contract/own-playlist-rules.ts'
import { toSearchableText } from '../../contract/search-text.ts'
import type { Song } from '../../contract/song.ts'
import { useAction } from '../hooks/action.ts'
import { useSignedInAccount } from '../hooks/identity.ts'
import { describeOwnPlaylistFailure, type OwnPlaylistSummary, useOwnPlaylistStore, useOwnPlaylists } from '../hooks/own-playlists.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FilterField } from '../ui/filter-field.tsx'
import { FocusContainer } from '../ui/focus-container.tsx'
import { formatCount, formatPlural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './add-to-playlist-dialog.module.css'
import { filterByWords } from './filter-by-words.ts'
import { useChangeToast } from './use-change-toast.ts'

interface AddToPlaylistDialogProps {
  songs: readonly Song[]
  open: boolean
  onClose: () => void
}

/** The time in milliseconds for which the Undo button is shown. */
const UNDO_OFFERED_MS = 10_000
/** The number of playlists above which a filter field is shown. */
const UNFILTERED_PLAYLISTS_MAX = 8

/**
 * Adds songs to one of a person's own playlists, or to a new one. Songs that the playlist has already are added again only if the person
 * confirms this.
 */
export function AddToPlaylistDialog({ songs, open, onClose }: AddToPlaylistDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Add to playlist">
      <FocusContainer>
        <AddToPlaylist songs={songs} onClose={onClose} />
      </FocusContainer>
    </Dialog>
  )
}

function AddToPlaylist({ songs, onClose }: Omit<AddToPlaylistDialogProps, 'open'>) {
  const store = useOwnPlaylistStore()
  const playlists = useOwnPlaylists()
  const isSignedIn = useSignedInAccount() !== undefined
  const toast = useChangeToast()
  const [filterText, setFilter] = useState('')
  const [fullPlaylist, setFullPlaylist] = useState<OwnPlaylistSummary>()

  const showFailure = (error: unknown) => void toast({ kind: 'bad', text: describeOwnPlaylistFailure(error) })

  const addAction = useAction(async (playlist: OwnPlaylistSummary, duplicateAction: 'keep' | 'skip') => {
    if (!store) return
    const { uid, ownPlaylists } = store
    const { added, duplicates } = await ownPlaylists.addSongs(uid, playlist.id, songs, { duplicates: duplicateAction })
    if (added.length === 0) return setFullPlaylist(playlist)
    onClose()
    const undo = () =>
      ownPlaylists.removeEntries(
        uid,
        playlist.id,
        added.map(({ e }) => e),
      )
    toast({
      text: `${added.length === 1 ? 'Added' : `${formatPlural(added.length, 'song')} added`} to ${playlist.title}`,
      ...(songs.length === 1 && songs[0] && { subject: songs[0].title }),
      ...(duplicates.length > 0 && {
        note: `${formatCount(duplicates.length)} ${duplicates.length === 1 ? 'was' : 'were'} already in it.`,
      }),
      kind: 'good',
      durationMs: UNDO_OFFERED_MS,
      action: { label: 'Undo', onSelect: () => void undo().catch(showFailure) },
    })
  }, showFailure)

  const createAction = useAction(async (playlistTitle: string) => {
    if (!store) return
    const { uid, ownPlaylists } = store
    const playlistId = await ownPlaylists.create(uid, { title: playlistTitle, songs })
    onClose()
    toast({
      text: `${formatPlural(songs.length, 'song')} added to the new playlist ${playlistTitle.trim()}`,
      kind: 'good',
      durationMs: UNDO_OFFERED_MS,
      action: { label: 'Undo', onSelect: () => void ownPlaylists.remove(uid, playlistId).catch(showFailure) },
    })
  }, showFailure)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void createAction.run(String(new FormData(event.currentTarget).get('title') ?? ''))
  }

  if (fullPlaylist)
    return (
      <div className={styles.body}>
        <p role="alert">
          {songs.length === 1 ? 'This song is' : 'These songs are'} already in <strong dir="auto">{fullPlaylist.title}</strong>.
        </p>
        <div className={styles.buttons}>
          <Button variant="primary" busy={addAction.busy} onClick={() => void addAction.run(fullPlaylist, 'keep')}>
            Add again
          </Button>
          <Button onClick={() => setFullPlaylist(undefined)}>Another playlist</Button>
        </div>
      </div>
    )
  // The form appears with the playlists, so that it does not move while a person reaches for it.
  if (!playlists)
    return (
      <div className={styles.list} aria-busy="true">
        <span className={typeStyles.hidden} role="status">
          Loading...
        </span>
        <div className={styles.playlist} aria-hidden="true">
          <Icon name="list" />
          <Skeleton width="60%" />
        </div>
      </div>
    )
  const shownPlaylists = filterByWords(playlists, filterText, ({ title }) => toSearchableText(title))
  return (
    <div className={styles.body}>
      {playlists.length > UNFILTERED_PLAYLISTS_MAX && (
        <FilterField ref={null} label="Find a playlist" placeholder="Name" status={false} onText={setFilter} />
      )}
      {shownPlaylists.length > 0 && (
        <ul className={styles.list} aria-label="Your playlists">
          {shownPlaylists.map((playlist) => (
            <li key={playlist.id}>
              <button type="button" className={styles.playlist} onClick={() => void addAction.run(playlist, 'skip')}>
                <Icon name="list" />
                <span className={styles.title} dir="auto">
                  {playlist.title}
                </span>
                {!playlist.isPartial && <span className={typeStyles.mono}>{formatPlural(playlist.songCount, 'song')}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className={styles.form} onSubmit={submit}>
        <Field label="New playlist" name="title" autoComplete="off" maxLength={PLAYLIST_TITLE_MAX_LENGTH} required placeholder="Name" />
        <Button type="submit" variant={playlists.length === 0 ? 'primary' : 'secondary'} disabled={!store} busy={createAction.busy}>
          Create
        </Button>
      </form>
      {!isSignedIn && <p className={typeStyles.muted}>Your playlists are kept on this device. Log in, and they join your account.</p>}
    </div>
  )
}
