import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Song } from '../../contract/song.ts'
import type { SearchStartSuggestions } from '../../contract/suggestions.ts'
import { createArtistPath, createPlaylistPath, createSearchPath, createSongPath } from '../hooks/paths.ts'
import { useRecentSearches, useTopArtistsAndCategories } from '../hooks/search-start.ts'
import { useServices } from '../hooks/services.tsx'
import { type SearchSuggestions as Suggestions, useSuggestions } from '../hooks/suggestions.ts'
import { isForInputMethod } from '../primitives/keys.ts'
import { createCleanupScope } from '../primitives/scope.ts'
import { Cover, ROW_COVER_PX } from '../ui/cover.tsx'
import { formatPlural } from '../ui/format.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './search-suggestions.module.css'

interface SearchSuggestionsProps {
  /** The search box, with the role `combobox`. This component sets its other ARIA attributes and handles its keys. */
  input: RefObject<HTMLInputElement | null>
  onFollowed: () => void
  /** Whether suggestions for starting a search, such as artists and categories, are listed while the search box is empty. */
  hasStartSuggestions?: boolean
}

const SUGGESTION_LIMIT = 4

interface SuggestionOption {
  path: string
  label: string
  detail?: string
  picture?: string
  icon?: IconName
  /** The song that the option opens. */
  song?: Song
}

interface OptionGroup {
  label: string
  options: SuggestionOption[]
}

function toSuggestionGroups({ songs, artists, playlists }: Suggestions): OptionGroup[] {
  const groups: OptionGroup[] = [
    {
      label: 'Songs',
      options: songs.map((song) => ({
        path: createSongPath(song.youtube_id, song.category_id),
        label: song.title,
        detail: song.author_name,
        picture: `/img/song/${song.youtube_id}`,
        song,
      })),
    },
    {
      label: 'Artists',
      options: artists.map(({ name, song_count }) => ({
        path: createArtistPath(name),
        label: name,
        detail: formatPlural(song_count, 'song'),
        icon: 'user',
      })),
    },
    {
      label: 'Playlists',
      options: playlists.map(({ id, title, song_count }) => ({
        path: createPlaylistPath(id),
        label: title,
        ...(song_count !== undefined && { detail: formatPlural(song_count, 'song') }),
        picture: `/img/playlist/${id}`,
      })),
    },
  ]
  return groups.filter(({ options }) => options.length > 0)
}

function toStartGroups({ artists, categories }: SearchStartSuggestions, recentSearches: readonly string[]): OptionGroup[] {
  const groups: OptionGroup[] = [
    { label: 'Your searches', options: recentSearches.map((text) => ({ path: createSearchPath(text), label: text, icon: 'search' })) },
    ...toSuggestionGroups({ songs: [], artists, playlists: [], isFromDevice: false }),
    {
      label: 'Categories',
      options: categories.map(({ id, name, song_count }) => ({
        path: createPlaylistPath(id),
        label: name,
        detail: formatPlural(song_count, 'song'),
        icon: 'list',
      })),
    },
  ]
  return groups.flatMap(({ label, options }) => (options.length === 0 ? [] : [{ label, options: options.slice(0, SUGGESTION_LIMIT) }]))
}

const noStartSuggestions: SearchStartSuggestions = { artists: [], categories: [] }

function describeCounts(groups: readonly OptionGroup[], isFromDevice: boolean): string {
  if (groups.length === 0) return 'No suggestions'
  const counts = groups.map(({ label, options }) => formatPlural(options.length, label.slice(0, -1).toLowerCase()))
  return `Suggestions: ${counts.join(', ')}${isFromDevice ? ' on this device' : ''}`
}

/**
 * The list of suggestions of a search box: a listbox of links, following the combobox pattern of the ARIA Authoring Practices Guide. The focus stays
 * in the search box; arrow keys, Home and End move the active option, Enter follows it, and Escape closes the list.
 */
export function SearchSuggestions({ input, onFollowed, hasStartSuggestions = false }: SearchSuggestionsProps) {
  const listboxId = useId()
  const { catalogue } = useServices()
  const listElement = useRef<HTMLDivElement>(null)
  const [searchText, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [activePath, setActivePath] = useState<string>()
  const { suggestions, isPending } = useSuggestions(isOpen ? searchText : '', { limit: SUGGESTION_LIMIT, isTyping: true })
  const showsStartSuggestions = hasStartSuggestions && searchText === ''
  const startSuggestions = useTopArtistsAndCategories(showsStartSuggestions) ?? noStartSuggestions
  const recentSearches = useRecentSearches()
  const optionGroups = useMemo(
    () => (showsStartSuggestions ? toStartGroups(startSuggestions, recentSearches) : suggestions ? toSuggestionGroups(suggestions) : []),
    [showsStartSuggestions, startSuggestions, recentSearches, suggestions],
  )
  const isListShown = isOpen && (showsStartSuggestions ? optionGroups.length > 0 : suggestions !== undefined)
  const activeOptionId = isListShown ? createOptionId(listboxId, optionGroups, activePath, searchText) : undefined

  useEffect(() => {
    const inputElement = input.current
    if (!inputElement) return
    const moveActiveOption = (pressedKey: string) => {
      const optionPaths = [...(listElement.current?.querySelectorAll('[role=option]') ?? [])].map(
        (option) => option.getAttribute('href') ?? '',
      )
      const index = activePath === undefined ? -1 : optionPaths.indexOf(activePath)
      const targetIndex = {
        ArrowDown: (index + 1) % optionPaths.length,
        ArrowUp: index <= 0 ? optionPaths.length - 1 : index - 1,
        Home: 0,
        End: optionPaths.length - 1,
      }[pressedKey]
      setActivePath(optionPaths[targetIndex ?? -1])
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (isForInputMethod(event) || event.ctrlKey || event.metaKey || event.shiftKey) return
      const isArrowKey = event.key === 'ArrowDown' || event.key === 'ArrowUp'
      if (!isListShown) {
        if (!isArrowKey) return
        setOpen(true)
      } else if (isArrowKey || (activeOptionId !== undefined && (event.key === 'Home' || event.key === 'End'))) moveActiveOption(event.key)
      else if (event.key === 'Enter' && activeOptionId !== undefined) document.getElementById(activeOptionId)?.click()
      else if (event.key === 'Escape') {
        if (showsStartSuggestions) return
        setOpen(false)
        // This press of Escape closes only the list; the next press reaches the search box and closes the box.
        event.stopPropagation()
      } else {
        if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') setActivePath(undefined)
        return
      }
      event.preventDefault()
    }
    const onInput = () => {
      setText(readTypedText(inputElement))
      setOpen(true)
      setActivePath(undefined)
    }
    const scope = createCleanupScope()
    scope.listen(inputElement, 'keydown', onKeyDown)
    scope.listen(inputElement, 'input', onInput)
    return scope.dispose
  }, [input, isListShown, showsStartSuggestions, activePath, activeOptionId])

  // Shows suggestions for a text that was typed while this component was loading. Such a text differs from the initial text of the box.
  // This effect runs after the effect that adds the listeners, so that no input is missed in between.
  useEffect(() => {
    setText(readTypedText(input.current))
    setOpen(input.current?.value !== input.current?.defaultValue || (hasStartSuggestions && input.current?.value === ''))
  }, [input, hasStartSuggestions])

  useEffect(() => {
    const inputElement = input.current
    if (!inputElement) return
    inputElement.ariaExpanded = String(isListShown)
    inputElement.setAttribute('aria-controls', listboxId)
    if (activeOptionId === undefined) inputElement.removeAttribute('aria-activedescendant')
    else {
      inputElement.setAttribute('aria-activedescendant', activeOptionId)
      document.getElementById(activeOptionId)?.scrollIntoView({ block: 'nearest' })
    }
    return () => {
      inputElement.ariaExpanded = 'false'
      inputElement.removeAttribute('aria-controls')
      inputElement.removeAttribute('aria-activedescendant')
    }
  }, [input, listboxId, isListShown, activeOptionId])

  const renderOption = (option: SuggestionOption, index: string) => (
    <a
      key={option.path}
      id={`${listboxId}-${index}`}
      role="option"
      aria-selected={activeOptionId === `${listboxId}-${index}`}
      tabIndex={-1}
      className={styles.option}
      href={option.path}
      onClick={() => {
        if (option.song) catalogue.noteSong(option.song)
        onFollowed()
      }}
    >
      {option.icon ? (
        <span className={styles.mark}>
          <Icon name={option.icon} />
        </span>
      ) : (
        option.picture !== undefined && <Cover src={option.picture} ratio="square" width={ROW_COVER_PX} alt="" className={styles.cover} />
      )}
      <span className={styles.text} dir="auto">
        <span className={styles.label}>{option.label}</span>
        {option.detail !== undefined && <span className={styles.detail}>{option.detail}</span>}
      </span>
    </a>
  )

  return (
    <>
      <div
        ref={listElement}
        id={listboxId}
        role="listbox"
        aria-label="Suggestions"
        aria-busy={isPending}
        className={styles.list}
        hidden={!isListShown}
        // Keeps the focus in the search box.
        onPointerDown={(event) => event.preventDefault()}
      >
        {isListShown && (
          <>
            {optionGroups.map((group, groupIndex) => (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a listbox
              <div key={group.label} role="group" aria-labelledby={`${listboxId}-${groupIndex}`}>
                <div id={`${listboxId}-${groupIndex}`} role="presentation" className={styles.heading}>
                  {group.label}
                </div>
                {group.options.map((option, index) => renderOption(option, `${groupIndex}-${index}`))}
              </div>
            ))}
            {!showsStartSuggestions &&
              renderOption({ path: createSearchPath(searchText), label: formatAllResultsLabel(searchText), icon: 'search' }, 'all')}
          </>
        )}
      </div>
      <span className={typeStyles.hidden} role="status">
        {isListShown && !showsStartSuggestions && describeCounts(optionGroups, suggestions?.isFromDevice ?? false)}
      </span>
    </>
  )
}

const readTypedText = (input: HTMLInputElement | null) => input?.value.trim() ?? ''
const formatAllResultsLabel = (text: string) => `All results for “${text}”`

/** Returns the id of the option with the given path; `undefined` if no option has it. */
function createOptionId(
  listboxId: string,
  groups: readonly OptionGroup[],
  optionPath: string | undefined,
  searchText: string,
): string | undefined {
  if (optionPath === undefined) return undefined
  if (optionPath === createSearchPath(searchText)) return `${listboxId}-all`
  for (const [groupIndex, { options }] of groups.entries()) {
    const index = options.findIndex((option) => option.path === optionPath)
    if (index >= 0) return `${listboxId}-${groupIndex}-${index}`
  }
  return undefined
}
