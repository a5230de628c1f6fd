import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ConversionHistoryRow } from '../../../contract/conversion.ts'
import {
  CONVERTED_FILE_STORAGE_DAYS,
  type ConversionFormat,
  conversionFormats,
  EMPTY_FILE_MESSAGE,
  INVALID_SPEED_MESSAGE,
  MAX_SPEED_PERCENT,
  MIN_CONVERTED_SPEED_PERCENT,
  MIN_SPEED_PERCENT,
  SONG_MINUTES_MAX,
  UPLOAD_EXTENSIONS,
  UPLOAD_MAX_BYTES,
  UPLOAD_TOO_LARGE_MESSAGE,
} from '../../../contract/conversion-rules.ts'
import { pages } from '../../../contract/pages.ts'
import formStyles from '../../components/account-form.module.css'
import styles from '../../components/account-lists.module.css'
import { LoadedContent } from '../../components/loaded-content.tsx'
import { SubscriberPage } from '../../components/subscriber-gate.tsx'
import { TransientMessage } from '../../components/transient-message.tsx'
import { useSite } from '../../hooks/services.tsx'
import { useBusyWhile } from '../../hooks/update.ts'
import { readFieldText } from '../../primitives/field-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FileField, SelectField } from '../../ui/form-controls.tsx'
import { formatBytes, formatLongDate } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { type Conversion, type TabConversionState, useConversion, useConvertedFiles, useOpenInMaker } from './use-conversion.ts'

export function ConversionPage() {
  return (
    <SubscriberPage tool="make" title={pages['/account/make'].heading}>
      {() => <Converter />}
    </SubscriberPage>
  )
}

function Converter() {
  const convertedFiles = useConvertedFiles()
  const { conversion, view } = useConversion()
  const submitButton = useRef<HTMLButtonElement>(null)
  const isConversionBusy = view.state === 'busy'
  useBusyWhile(isConversionBusy, 'render')
  const { reload } = convertedFiles
  const isConversionDone = view.state === 'done'
  useEffect(() => {
    if (isConversionDone) reload()
  }, [isConversionDone, reload])
  return (
    <>
      <p className={typeStyles.lead}>
        Your file is uploaded and changed on our server. We delete it right after, and the result after {CONVERTED_FILE_STORAGE_DAYS} days.{' '}
        <a className={typeStyles.link} href="/account/maker">
          The maker
        </a>{' '}
        does the same on your device and uploads nothing.
      </p>
      <div className={styles.converter}>
        <UploadForm isBusy={isConversionBusy} submitButton={submitButton} conversion={conversion} />
        {view.state === 'busy' && <Progress view={view} submitButton={submitButton} onCancel={conversion.cancel} />}
        {view.state === 'cancelled' && <TransientMessage kind="good" text="The conversion was cancelled." onHide={conversion.clear} />}
        {view.state === 'failed' && <TransientMessage kind="bad" text={view.message} onHide={conversion.clear} />}
        {view.state === 'done' && (
          <Notice kind="good">
            Your song has been converted! {/* The URL of the result is valid only for some minutes; the history always has valid URLs. */}
            <a
              className={typeStyles.link}
              href={convertedFiles.data?.find(({ id }) => id === view.id)?.url ?? view.url}
              download={view.fileName}
            >
              Click here to download your song!
            </a>
          </Notice>
        )}
      </div>
      <History files={convertedFiles} />
    </>
  )
}

const formatLabels: Record<ConversionFormat, string> = { mp3: 'MP3, 320 kbps', wav: 'WAV, 16 bit' }
const formatOptions = conversionFormats.map((value) => ({ value, label: formatLabels[value] }))

interface UploadFormProps {
  isBusy: boolean
  submitButton: RefObject<HTMLButtonElement | null>
  conversion: Conversion
}

interface UploadProblem {
  field: 'file' | 'speed'
  text: string
}

const UPLOAD_TOO_LARGE: UploadProblem = { field: 'file', text: UPLOAD_TOO_LARGE_MESSAGE }

function findProblem(formFile: FormDataEntryValue | null, speedPercent: number): UploadProblem | undefined {
  // If no file is chosen, the form data contains a file with an empty name.
  if (!(formFile instanceof File) || formFile.name === '') return { field: 'file', text: 'Please choose a file.' }
  if (formFile.size === 0) return { field: 'file', text: EMPTY_FILE_MESSAGE }
  if (formFile.size > UPLOAD_MAX_BYTES) return UPLOAD_TOO_LARGE
  if (!(speedPercent >= MIN_SPEED_PERCENT && speedPercent <= MAX_SPEED_PERCENT))
    return { field: 'speed', text: `Please enter a number from ${MIN_SPEED_PERCENT} to ${MAX_SPEED_PERCENT}.` }
  return speedPercent < MIN_CONVERTED_SPEED_PERCENT ? { field: 'speed', text: INVALID_SPEED_MESSAGE } : undefined
}

/** Parses the change of speed in percent; NaN if the text is not a number. */
const parsePercent = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

function UploadForm({ isBusy, submitButton, conversion }: UploadFormProps) {
  const { settings } = useSite()
  const initialSpeed = Math.round((settings.MAKER_SPEED - 1) * 100)
  const [outputFormat, setFormat] = useState<ConversionFormat>('mp3')
  const [speedText, setSpeedText] = useState(String(initialSpeed))
  const [uploadProblem, setProblem] = useState<UploadProblem>()
  const [largeFile, setLargeFile] = useState<File>()
  const openInMaker = useOpenInMaker()
  const speedRate = 1 + parsePercent(speedText) / 100
  const submitForm = (form: HTMLFormElement) => {
    const formData = new FormData(form)
    const chosenFile = formData.get('file')
    const speedPercent = parsePercent(readFieldText(formData, 'speed'))
    const fileProblem = findProblem(chosenFile, speedPercent)
    setProblem(fileProblem)
    if (fileProblem) {
      const control = form.elements.namedItem(fileProblem.field)
      if (control instanceof HTMLElement) control.focus()
    } else if (chosenFile instanceof File) conversion.start({ file: chosenFile, speed: speedPercent, format: outputFormat })
  }
  return (
    <form
      method="post"
      noValidate
      aria-label="Conversion"
      className={formStyles.form}
      onInput={() => {
        setProblem(undefined)
        conversion.clear()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) submitForm(event.currentTarget)
      }}
    >
      <FileField
        label="Song"
        name="file"
        accept={UPLOAD_EXTENSIONS.join(',')}
        required
        problem={uploadProblem?.field === 'file' ? uploadProblem.text : undefined}
        onChange={(event) => {
          const chosenFile = event.currentTarget.files?.[0]
          const isTooLarge = chosenFile !== undefined && chosenFile.size > UPLOAD_MAX_BYTES
          setLargeFile(isTooLarge ? chosenFile : undefined)
          if (isTooLarge) setProblem(UPLOAD_TOO_LARGE)
        }}
      >
        MP3, WAV, PCM, AIFF, AAC, FLAC or ALAC. Up to 10 MB and {SONG_MINUTES_MAX} minutes.
      </FileField>
      {largeFile && (
        <Button variant="tertiary" onClick={() => openInMaker(largeFile)}>
          Open it in the maker
        </Button>
      )}
      <Field
        label="Speed in percent"
        name="speed"
        type="number"
        autoComplete="off"
        min={MIN_SPEED_PERCENT}
        max={MAX_SPEED_PERCENT}
        step="any"
        required
        defaultValue={initialSpeed}
        onInput={(event) => setSpeedText(event.currentTarget.value)}
        labelAside={speedRate > 0 && speedRate <= 2 && <output className={typeStyles.mono}>{speedRate.toFixed(2)}×</output>}
        problem={uploadProblem?.field === 'speed' ? uploadProblem.text : undefined}
      >
        25 makes it a quarter faster, -15 slower. The pitch follows.
      </Field>
      <SelectField label="Format" name="format" value={outputFormat} options={formatOptions} onChange={setFormat} />
      <Button ref={submitButton} type="submit" variant="primary" size="big" busy={isBusy}>
        Convert
      </Button>
    </form>
  )
}

type BusyView = Extract<TabConversionState, { state: 'busy' }>

const phaseLabels: Record<BusyView['phase'], string> = {
  uploading: 'Uploading',
  queued: 'Waiting for its turn',
  running: 'Converting',
  unreachable: 'No connection. Your song is still being converted.',
}

/** Returns the progress in quarters, so that screen readers do not read out every percent. */
const formatProgressAnnouncement = (progress: number) => (progress < 0.25 ? '' : `${Math.floor(progress * 4) * 25} percent`)

interface ProgressProps {
  view: BusyView
  /** The element that receives the focus if the focused progress display is removed. */
  submitButton: RefObject<HTMLButtonElement | null>
  onCancel: () => void
}

function Progress({ view: { phase, progress }, submitButton, onCancel }: ProgressProps) {
  const statusElement = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const statusDiv = statusElement.current
    return () => {
      if (statusDiv?.contains(document.activeElement)) submitButton.current?.focus()
    }
  }, [submitButton])
  return (
    <div ref={statusElement} className={styles.progress}>
      <label className={styles.label}>
        <span role="status">{phaseLabels[phase]}</span>
        <progress value={progress} max={1} />
      </label>
      <span className={typeStyles.mono}>{Math.floor(progress * 100)} %</span>
      <span role="status" className={typeStyles.hidden}>
        {formatProgressAnnouncement(progress)}
      </span>
      <Button variant="tertiary" icon="close" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

function History({ files }: { files: ReturnType<typeof useConvertedFiles> }) {
  return (
    <section aria-labelledby="history-heading">
      <SectionHeading id="history-heading" size="small">
        History
      </SectionHeading>
      <LoadedContent
        of={files}
        offlineTitle="Your history needs a connection."
        failureTitle="Your history could not be loaded."
        placeholderRowCount={3}
      >
        {(fileRows) => {
          // Files that were exported in the maker, and results that are deleted, are in the history of the maker only.
          const storedFiles = fileRows.filter(({ url }) => url !== undefined)
          return storedFiles.length === 0 ? <p className={typeStyles.muted}>No history found.</p> : <FileList rows={storedFiles} />
        }}
      </LoadedContent>
    </section>
  )
}

function FileList({ rows }: { rows: readonly ConversionHistoryRow[] }) {
  return (
    <ul className={styles.list}>
      {rows.map(({ id, file_name, file_size, created, url }) => (
        <li key={id}>
          <span className={styles.file}>
            <strong dir="auto">{file_name}</strong>
            <span className={typeStyles.muted}>
              {formatBytes(file_size)}, {formatLongDate(created)}
            </span>
          </span>
          <a className={typeStyles.link} href={url} download={file_name}>
            Download
          </a>
        </li>
      ))}
    </ul>
  )
}
