import type { FormEvent } from 'react'
import { formatSongHeading } from '../../../contract/page-titles.ts'
import { NO_CATEGORY_ID } from '../../../contract/song-rules.ts'
import { describeUnreadableEntries } from '../../components/describe-unreadable-entries.ts'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { useAction } from '../../hooks/action.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { describeOwnPlaylistFailure } from '../../hooks/own-playlists.ts'
import { useSaveText } from '../../hooks/save-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FocusContainer } from '../../ui/focus-container.tsx'
import { FileField } from '../../ui/form-controls.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { LoginLink } from './login-link.tsx'
import type { MatchedPlaylist, RenamedSong } from './match-songs.ts'
import styles from './own-playlists.module.css'
import { type ImportedPlaylists, useImport } from './use-import.ts'
import { describeSaveFailure, useOpenOwnPlaylistStore } from './use-open-store.ts'

const ACCEPTED_FILE_TYPES = '.csv,.tsv,.txt,.json,.db,.m3u,.m3u8,application/json,text/csv,text/plain'
/** The maximum number of rows of a list in the preview. */
const PREVIEW_ROWS_MAX = 200
const LOGIN_TEXT = 'Log in first: this site can also keep videos that its catalogue lacks.'

interface ImportDialogProps {
  open: boolean
  onClose: () => void
}

/**
 * Imports playlists from a file of another program or from YouTube. Before anything is stored, the dialog shows which songs were found, under which
 * other titles, and which were not found.
 */
export function ImportDialog({ open, onClose }: ImportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Import playlists">
      <ImportContent onClose={onClose} />
    </Dialog>
  )
}

function ImportContent({ onClose }: Pick<ImportDialogProps, 'onClose'>) {
  const playlistImport = useImport()
  const { state } = playlistImport
  return (
    <FocusContainer>
      <p role="status" className={state.step === 'matching' ? '' : typeStyles.hidden}>
        {describeStep(state)}
      </p>
      {state.step === 'choose' && <ImportForm playlistImport={playlistImport} failureText={state.failureText} />}
      {state.step === 'preview' && <PlaylistImportPreview imported={state.imported} onClose={onClose} />}
    </FocusContainer>
  )
}

/** Returns the text with which screen readers announce a step of the import. */
function describeStep(state: ReturnType<typeof useImport>['state']): string {
  if (state.step === 'choose') return ''
  if (state.step === 'matching') return `Looking for the songs: ${Math.round(state.matchedFraction * 100)} %`
  const { playlists } = state.imported
  const missingCount = playlists.reduce((sum, { missingSongs }) => sum + missingSongs.length, 0)
  const unsearchedCount = playlists.reduce((sum, { unsearchedSongs }) => sum + unsearchedSongs.length, 0)
  const countTexts = [
    `${formatPlural(playlists.filter(hasSongs).length, 'playlist')} found`,
    missingCount > 0 && `${formatPlural(missingCount, 'song')} not found`,
    unsearchedCount > 0 && `${formatPlural(unsearchedCount, 'video')} not looked up`,
  ]
  return countTexts.filter(Boolean).join(', ')
}

const hasSongs = ({ songs }: MatchedPlaylist) => songs.length > 0

interface ImportFormProps {
  playlistImport: Pick<ReturnType<typeof useImport>, 'readFile' | 'readAddress'>
  failureText: string
}

function ImportForm({ playlistImport: { readFile, readAddress }, failureText }: ImportFormProps) {
  const isSignedIn = useSignedInAccount() !== undefined
  const submitAddress = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void readAddress(String(new FormData(event.currentTarget).get('url') ?? ''))
  }
  return (
    <div className={styles.form}>
      {failureText !== '' && <Notice kind="bad">{failureText}</Notice>}
      <FileField
        label="File"
        name="file"
        accept={ACCEPTED_FILE_TYPES}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) void readFile(file)
        }}
      >
        CSV, M3U or JSON: from YouTube’s export, Exportify, TuneMyMusic, Piped, Invidious, FreeTube, LibreTube or this site.
      </FileField>
      {isSignedIn && (
        <form className={styles.form} onSubmit={submitAddress}>
          <Field
            label="Or a playlist of YouTube"
            name="url"
            type="url"
            autoComplete="off"
            placeholder="https://www.youtube.com/playlist?list=…"
            required
          />
          <div className={styles.buttons}>
            <Button type="submit">Read the playlist</Button>
          </div>
        </form>
      )}
    </div>
  )
}

const getTitle = ({ title }: Pick<MatchedPlaylist, 'title'>) => title || 'Imported playlist'

const formatName = ({ title, artist }: RenamedSong['fileSong']) => [artist, title].filter((text) => text !== '').join(' - ')

const formatNameOrId = (song: RenamedSong['fileSong']) => formatName(song) || (song.songId ?? '')

/** Returns how many songs a playlist will have, how many of these are videos that the catalogue lacks, and how many songs it will not have. */
function describeSongCounts({ songs, missingSongs, unsearchedSongs, excessCount }: MatchedPlaylist): string {
  const videoCount = songs.filter((song) => song.category_id === NO_CATEGORY_ID).length
  const countTexts = [
    formatPlural(songs.length, 'song'),
    videoCount > 0 && `${formatCount(videoCount)} of them only at YouTube`,
    excessCount > 0 && `${formatCount(excessCount)} more than a playlist can have`,
    missingSongs.length > 0 && `${formatCount(missingSongs.length)} not found`,
    unsearchedSongs.length > 0 && `${formatCount(unsearchedSongs.length)} not looked up`,
  ]
  return countTexts.filter(Boolean).join(', ')
}

/** Shows rows of the preview under a summary that opens them; nothing if there are none. */
function PreviewList({ summary, label, rows }: { summary: string; label: string; rows: readonly string[] }) {
  const saveText = useSaveText()
  if (rows.length === 0) return null
  return (
    <details>
      <summary>{summary}</summary>
      <ul className={styles.found} aria-label={label}>
        {rows.slice(0, PREVIEW_ROWS_MAX).map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change their order, and may be equal.
          <li key={index} dir="auto">
            {row}
          </li>
        ))}
      </ul>
      {rows.length > PREVIEW_ROWS_MAX && (
        <div className={styles.buttons}>
          <p className={typeStyles.muted}>And {formatCount(rows.length - PREVIEW_ROWS_MAX)} more.</p>
          <Button onClick={() => saveText('import.txt', 'text/plain', rows.join('\n'))}>Save the whole list</Button>
        </div>
      )}
    </details>
  )
}

function PlaylistImportPreview({ imported, onClose }: { imported: ImportedPlaylists; onClose: () => void }) {
  const { playlists, lookUpGap } = imported
  const openStore = useOpenOwnPlaylistStore()
  const toast = useChangeToast()
  const foundPlaylists = playlists.filter(hasSongs)
  const emptyPlaylists = playlists.length === 1 ? [] : playlists.filter((playlist) => !hasSongs(playlist))
  const missingSongs = playlists.flatMap((playlist) => playlist.missingSongs)
  const unsearchedSongs = playlists.flatMap((playlist) => playlist.unsearchedSongs)
  const renamedSongs = playlists.flatMap((playlist) => playlist.renamedSongs)

  const createAll = useAction(async () => {
    const { uid, ownPlaylists } = await openStore()
    const createdPlaylistIds: string[] = []
    let failure: string | undefined
    try {
      for (const { title, description, songs } of foundPlaylists)
        createdPlaylistIds.push(await ownPlaylists.create(uid, { title: getTitle({ title }), description, songs }))
    } catch (error) {
      failure = describeOwnPlaylistFailure(error)
    }
    onClose()
    if (failure !== undefined && createdPlaylistIds.length === 0) return toast({ kind: 'bad', text: failure })
    const undoImport = () => Promise.all(createdPlaylistIds.map((id) => ownPlaylists.remove(uid, id)))
    toast({
      ...(failure === undefined
        ? { kind: 'good', text: `${formatPlural(createdPlaylistIds.length, 'playlist')} imported` }
        : {
            kind: 'bad',
            text: `${formatCount(createdPlaylistIds.length)} of ${formatPlural(foundPlaylists.length, 'playlist')} imported`,
            note: failure,
          }),
      durationMs: 20_000,
      action: {
        label: 'Undo',
        onSelect: () => void undoImport().catch((error: unknown) => toast({ kind: 'bad', text: describeOwnPlaylistFailure(error) })),
      },
    })
  }, describeSaveFailure)

  return (
    <div className={styles.form}>
      {foundPlaylists.length === 0 && <p>None of the songs is in the catalogue of this site.</p>}
      {foundPlaylists.length > 0 && (
        <ul className={styles.found} aria-label="Playlists that will be made">
          {foundPlaylists.map((playlist, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the playlists of a file never change their order, and their titles may be equal.
            <li key={index} dir="auto">
              <strong>{getTitle(playlist)}</strong>: {describeSongCounts(playlist)}
            </li>
          ))}
        </ul>
      )}
      <PreviewList
        summary={`${formatPlural(emptyPlaylists.length, 'playlist')} left out`}
        label="Playlists without any song that was found"
        rows={emptyPlaylists.map(
          (playlist) =>
            `${getTitle(playlist)}: none of ${formatPlural(playlist.missingSongs.length + playlist.unsearchedSongs.length, 'song')} was found`,
        )}
      />
      <PreviewList
        summary={`${formatPlural(renamedSongs.length, 'song')} found under another title`}
        label="Songs that were found under another title"
        rows={renamedSongs.map(({ fileSong, song }) => `${formatName(fileSong)} → ${formatSongHeading(song)}`)}
      />
      <PreviewList
        summary={`${formatPlural(missingSongs.length, 'song')} not found`}
        label="Songs that were not found"
        rows={missingSongs.map(formatNameOrId)}
      />
      <PreviewList
        summary={`${formatPlural(unsearchedSongs.length, 'video')} could not be looked up`}
        label="Videos that could not be looked up"
        rows={unsearchedSongs.map(formatNameOrId)}
      />
      {lookUpGap && <p className={typeStyles.muted}>{lookUpGap.kind === 'failed' ? lookUpGap.reason : LOGIN_TEXT}</p>}
      {lookUpGap?.kind === 'signed-out' && (
        <div className={styles.buttons}>
          <LoginLink variant="secondary" />
        </div>
      )}
      {imported.unreadablePositions.length > 0 && <p className={typeStyles.muted}>{describeUnreadableEntries(imported)}</p>}
      {createAll.result?.error !== undefined && <Notice kind="bad">{createAll.result.error}</Notice>}
      <div className={styles.buttons}>
        {foundPlaylists.length > 0 && (
          <Button variant="primary" busy={createAll.busy} onClick={() => void createAll.run()}>
            {foundPlaylists.length === 1 ? 'Make the playlist' : `Make ${formatPlural(foundPlaylists.length, 'playlist')}`}
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </div>
  )
}
