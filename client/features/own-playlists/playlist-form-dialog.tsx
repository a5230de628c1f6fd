import type { FormEvent } from 'react'
import { PLAYLIST_DESCRIPTION_MAX_LENGTH, PLAYLIST_TITLE_MAX_LENGTH } from '../../../contract/own-playlist-rules.ts'
import { useAction } from '../../hooks/action.ts'
import type { OwnPlaylistSummary } from '../../hooks/own-playlists.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextAreaField } from '../../ui/form-controls.tsx'
import { Notice } from '../../ui/states.tsx'
import styles from './own-playlists.module.css'
import { describeSaveFailure, useOpenOwnPlaylistStore } from './use-open-store.ts'

interface PlaylistValues {
  title: string
  description: string
}

interface PlaylistFormProps {
  values?: PlaylistValues
  submitLabel: string
  /** Rejects if the values cannot be stored. */
  onSubmit: (values: PlaylistValues) => Promise<void>
}

/** Marks the field that `showModal()` focuses. React's `autoFocus` would focus the field before the dialog is open. */
const markAutofocus = (field: HTMLInputElement | null) => field?.setAttribute('autofocus', '')

/** A form with fields for the name and the description of a playlist. */
function PlaylistForm({ values, submitLabel, onSubmit }: PlaylistFormProps) {
  const { busy, result, run } = useAction(onSubmit, describeSaveFailure)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const formData = new FormData(event.currentTarget)
    void run({ title: String(formData.get('title') ?? ''), description: String(formData.get('description') ?? '') })
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        ref={markAutofocus}
        label="Name"
        name="title"
        autoComplete="off"
        maxLength={PLAYLIST_TITLE_MAX_LENGTH}
        required
        defaultValue={values?.title}
      />
      <TextAreaField
        label="Description"
        name="description"
        rows={3}
        maxLength={PLAYLIST_DESCRIPTION_MAX_LENGTH}
        defaultValue={values?.description}
      />
      {result?.error !== undefined && <Notice kind="bad">{result.error}</Notice>}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

interface DialogProps {
  open: boolean
  onClose: () => void
}

export function NewPlaylistDialog({ open, onClose, onCreated }: DialogProps & { onCreated: (id: string) => void }) {
  const openStore = useOpenOwnPlaylistStore()
  const createPlaylist = async (playlistValues: PlaylistValues) => {
    const { uid, ownPlaylists } = await openStore()
    const id = await ownPlaylists.create(uid, playlistValues)
    onClose()
    onCreated(id)
  }
  return (
    <Dialog open={open} onClose={onClose} title="New playlist">
      <PlaylistForm submitLabel="Create" onSubmit={createPlaylist} />
    </Dialog>
  )
}

export function RenamePlaylistDialog({ open, onClose, playlist }: DialogProps & { playlist: OwnPlaylistSummary }) {
  const openStore = useOpenOwnPlaylistStore()
  const changePlaylist = async (playlistValues: PlaylistValues) => {
    const { uid, ownPlaylists } = await openStore()
    await ownPlaylists.change(uid, playlist.id, playlistValues)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title="Name and description">
      <PlaylistForm values={playlist} submitLabel="Save" onSubmit={changePlaylist} />
    </Dialog>
  )
}
