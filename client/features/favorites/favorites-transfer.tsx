import { useRef, useState } from 'react'
import { useSaveText } from '../../hooks/save-text.ts'
import { useServices } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DropTarget } from '../../ui/drop-target.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { type FavoritesFile, openFavoritesFile, toCsvFile, toJsonFile } from './favorites-file.ts'
import styles from './favorites-section.module.css'
import { ImportPreview } from './import-preview.tsx'
import { useFavoriteList, useFavoriteSongs } from './use-favorite-list.ts'

/** Renders the buttons that export the favorites to a file and import them from one. */
export function FavoritesTransfer() {
  const favoriteList = useFavoriteList()
  const songs = useFavoriteSongs() ?? []
  const { api } = useServices()
  const saveText = useSaveText()
  const toast = useToast()
  const input = useRef<HTMLInputElement>(null)
  const [isReading, setReading] = useState(false)
  const [importFile, setImportFile] = useState<{ name: string; file: FavoritesFile }>()

  /** Reads a file and opens its preview. A file that is chosen or dropped while another one is being read is ignored. */
  const readFile = async (file: File) => {
    if (isReading) return
    setReading(true)
    const favoritesFile = await openFavoritesFile(api, file)
    setReading(false)
    if (typeof favoritesFile === 'string') toast({ kind: 'bad', text: favoritesFile })
    else setImportFile({ name: file.name, file: favoritesFile })
  }

  return (
    <DropTarget className={styles.transfer} onFile={(file) => void readFile(file)}>
      <p className={typeStyles.muted}>
        {songs.length > 0
          ? 'Export them to a file, or import one from elsewhere.'
          : 'Bring your favorites along: import a file from elsewhere.'}
      </p>
      <div className={styles.buttons}>
        {favoriteList && songs.length > 0 && (
          <Menu
            label="Export"
            items={[
              {
                id: 'json',
                label: 'Export as JSON',
                icon: 'download',
                onSelect: () => saveText('favorites.json', 'application/json', toJsonFile(favoriteList.entries, songs)),
              },
              {
                id: 'csv',
                label: 'Export as CSV',
                icon: 'download',
                onSelect: () => saveText('favorites.csv', 'text/csv;charset=utf-8', toCsvFile(favoriteList.entries, songs)),
              },
            ]}
          />
        )}
        <Button icon="file" busy={isReading} onClick={() => input.current?.click()}>
          Import
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="File with favorites"
          accept=".json,.db,.csv,.tsv,.txt,.m3u,.m3u8,application/json,text/csv,text/plain"
          onChange={(event) => {
            const chosenFile = event.currentTarget.files?.[0]
            // The input is cleared, because choosing the same file again would otherwise fire no change event.
            event.currentTarget.value = ''
            if (chosenFile) void readFile(chosenFile)
          }}
        />
      </div>
      <Dialog open={importFile !== undefined} onClose={() => setImportFile(undefined)} title="Import favorites">
        {/* Closes the preview only if no other file was chosen while this one was imported. */}
        {importFile && (
          <ImportPreview {...importFile} onClose={() => setImportFile((current) => (current === importFile ? undefined : current))} />
        )}
      </Dialog>
    </DropTarget>
  )
}
