import { useRef } from 'react'
import { PRESETS_MAX } from '../../../contract/preset-rules.ts'
import { Menu } from '../../ui/menu.tsx'
import type { MenuFocus } from '../../ui/menu-trigger.ts'
import { useMessages } from './messages.ts'
import { hasRoomForPresets } from './own-presets.ts'
import { findNewPresets, readPresetFile, savePresetFile } from './preset-file.ts'
import type { Preset } from './presets.ts'
import { createSettingsFragment } from './settings-link.ts'
import type { MakerSettings } from './use-maker.ts'
import { useOwnPresets } from './use-own-presets.ts'

export interface PresetSharingProps {
  label: string
  settings: MakerSettings
  /** The preset that has these settings, if there is one. */
  preset: Preset | undefined
  openAtFirst: MenuFocus
}

/** Renders the menu with which a person shares settings as a link, and saves own presets to a file or opens such a file. */
export function PresetSharing({ label, settings, preset, openAtFirst }: PresetSharingProps) {
  const ownPresets = useOwnPresets()
  const beginMessages = useMessages()
  const fileInput = useRef<HTMLInputElement>(null)

  const copyLink = async () => {
    const presetUrl = `${location.origin}/account/maker${createSettingsFragment(settings, preset?.name)}`
    const showMessage = beginMessages()
    try {
      await navigator.clipboard.writeText(presetUrl)
      showMessage('Link copied! It holds the settings, and nothing of your song.', 'good')
    } catch {
      showMessage(`The link could not be copied. Here it is: ${presetUrl}`, 'bad')
    }
  }
  const importFile = async (file: File) => {
    const showMessage = beginMessages()
    const filePresets = await readPresetFile(file)
    if (filePresets === undefined) return showMessage('This file holds no presets of the maker.', 'bad')
    const addedPresets = findNewPresets(filePresets, ownPresets.presets)
    if (!hasRoomForPresets(ownPresets.presets, addedPresets.length))
      return showMessage(`There is room for ${PRESETS_MAX} presets of your own. Delete some before you import these.`, 'bad')
    ownPresets.save(addedPresets)
    showMessage(
      addedPresets.length === 0 ? 'You have all presets of this file already.' : `Presets imported: ${addedPresets.length}.`,
      'good',
    )
  }

  return (
    <>
      <Menu
        label={label}
        icon="share"
        align="start"
        openAtFirst={openAtFirst}
        items={[
          { id: 'link', label: 'Copy link to these settings', icon: 'link', onSelect: () => void copyLink() },
          {
            id: 'export',
            label: 'Export my presets',
            icon: 'download',
            disabled: ownPresets.presets.length === 0,
            onSelect: () => savePresetFile(ownPresets.presets),
          },
          { id: 'import', label: 'Import presets', icon: 'file', onSelect: () => fileInput.current?.click() },
        ]}
      />
      <input
        ref={fileInput}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="File of presets"
        onChange={(event) => {
          const [chosenFile] = event.currentTarget.files ?? []
          // The input is cleared, so that the same file can be chosen again.
          event.currentTarget.value = ''
          if (chosenFile) void importFile(chosenFile)
        }}
      />
    </>
  )
}
