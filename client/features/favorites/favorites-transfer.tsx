import { useRef, useState } from 'react'
import { useFavoriteList, useFavoriteSongs } from '../../bindings/favorite-list.ts'
import { useSaveText } from '../../bindings/save-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Key } from '../../ui/key.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { decodeText, type FavoritesFile, FILE_BYTES_MAX, readFavoritesFile, toCsvFile, toJsonFile } from './favorites-file.ts'
import styles from './favorites-section.module.css'
import { ImportPreview } from './import-preview.tsx'

/** Favorites as a file: to take along, and to bring back. */
export function FavoritesTransfer() {
  const list = useFavoriteList()
  const songs = useFavoriteSongs() ?? []
  const save = useSaveText()
  const toast = useToast()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<{ name: string; file: FavoritesFile }>()

  const read = async (file: File) => {
    if (file.size > FILE_BYTES_MAX) return toast({ kind: 'bad', text: `${file.name} is larger than 10 MB.` })
    const bytes = await file.arrayBuffer().catch(() => undefined)
    const known = bytes && readFavoritesFile(decodeText(new Uint8Array(bytes)))
    if (known) setChosen({ name: file.name, file: known })
    else toast({ kind: 'bad', text: `No songs could be read from ${file.name}.` })
  }

  return (
    <div className={styles.transfer}>
      <p className={typeStyles.muted}>As a file, to keep or to bring along from elsewhere.</p>
      <div className={styles.keys}>
        {list && songs.length > 0 && (
          <Menu
            label="Export"
            items={[
              {
                id: 'json',
                label: 'Export as JSON',
                icon: 'download',
                onSelect: () => save('favorites.json', 'application/json', toJsonFile(list.entries, songs)),
              },
              {
                id: 'csv',
                label: 'Export as CSV',
                icon: 'download',
                onSelect: () => save('favorites.csv', 'text/csv;charset=utf-8', toCsvFile(list.entries, songs)),
              },
            ]}
          />
        )}
        <Key icon="file" onClick={() => input.current?.click()}>
          Import
        </Key>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="File with favorites"
          accept=".json,.csv,.tsv,.txt,application/json,text/csv,text/plain"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            // The same file may be chosen again.
            event.currentTarget.value = ''
            if (file) void read(file)
          }}
        />
      </div>
      <Dialog open={chosen !== undefined} onClose={() => setChosen(undefined)} title="Import favorites">
        {/* Another file may have been chosen by the time that it is through. */}
        {chosen && <ImportPreview {...chosen} onClose={() => setChosen((now) => (now === chosen ? undefined : now))} />}
      </Dialog>
    </div>
  )
}
