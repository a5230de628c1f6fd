import { useEffect, useState } from 'react'
import {
  ADDRESS_MINUTES,
  CONVERTED_DAYS,
  CONVERTED_EXTENSIONS,
  CONVERTED_MINUTES_MAX,
  type ConversionFormat,
  conversionFormats,
  INVALID_SPEED,
  MAX_SPEED_PERCENT,
  MIN_CONVERTED_PERCENT,
  MIN_SPEED_PERCENT,
  UPLOAD_MAX_BYTES,
} from '../../../contract/convert-rules.ts'
import { pages } from '../../../contract/pages.ts'
import { useBusyWhile } from '../../bindings/busy.ts'
import { type ConversionView, useConversion } from '../../bindings/conversion.ts'
import { useConvertedFiles } from '../../bindings/converted-files.ts'
import { useSite } from '../../bindings/services.tsx'
import { startInterval } from '../../primitives/scope.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/form-controls.tsx'
import { formatBytes, formatLongDate } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { ErrorState, Notice, OfflineState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import formStyles from './account-form.module.css'
import styles from './account-lists.module.css'
import { fieldText } from './auth-form.tsx'
import { SubscriberPage } from './subscriber-page.tsx'

export function ConvertPage() {
  return <SubscriberPage title={pages['/account/make'].heading}>{() => <Converter />}</SubscriberPage>
}

function Converter() {
  const files = useConvertedFiles()
  const { data, reload } = files
  // The addresses of the files work for some minutes only.
  useEffect(() => startInterval(reload, ADDRESS_MINUTES * 30_000), [reload])
  const conversion = useConversion(reload)
  const { view } = conversion
  useBusyWhile(view.state === 'uploading' || view.state === 'converting', 'render')
  return (
    <>
      <p className={typeStyles.lead}>
        Here your file is uploaded, and changed by our server. It is deleted at once; the result after {CONVERTED_DAYS} days.{' '}
        <a className={typeStyles.link} href="/account/maker">
          The maker
        </a>{' '}
        does the same on your device, and uploads nothing.
      </p>
      <UploadForm
        isBusy={view.state === 'uploading' || view.state === 'converting'}
        onSubmit={conversion.start}
        onInput={conversion.clear}
      />
      <Progress view={view} files={data} onCancel={conversion.cancel} />
      <History files={files} />
    </>
  )
}

const formatLabels: Record<ConversionFormat, string> = { mp3: 'MP3, 320 kbps', wav: 'WAV, 16 bit' }
const formatOptions = conversionFormats.map((value) => ({ value, label: formatLabels[value] }))

interface UploadFormProps {
  isBusy: boolean
  onSubmit: ReturnType<typeof useConversion>['start']
  onInput: () => void
}

function UploadForm({ isBusy, onSubmit, onInput }: UploadFormProps) {
  const { settings } = useSite()
  const [format, setFormat] = useState<ConversionFormat>('mp3')
  const [problem, setProblem] = useState<{ field: 'file' | 'speed'; text: string }>()
  const submit = (form: HTMLFormElement) => {
    const fields = new FormData(form)
    const file = fields.get('file')
    const speed = Number(fieldText(fields, 'speed'))
    const wrong =
      !(file instanceof File) || file.size === 0
        ? { field: 'file' as const, text: 'Please choose a file.' }
        : file.size > UPLOAD_MAX_BYTES
          ? { field: 'file' as const, text: 'The file is larger than 10 MB.' }
          : !Number.isFinite(speed) || speed < MIN_SPEED_PERCENT || speed > MAX_SPEED_PERCENT
            ? { field: 'speed' as const, text: `Please enter a number from ${MIN_SPEED_PERCENT} to ${MAX_SPEED_PERCENT}.` }
            : speed < MIN_CONVERTED_PERCENT
              ? { field: 'speed' as const, text: INVALID_SPEED }
              : undefined
    setProblem(wrong)
    if (wrong) {
      const control = form.elements.namedItem(wrong.field)
      if (control instanceof HTMLElement) control.focus()
    } else if (file instanceof File) onSubmit({ file, speed, format })
  }
  return (
    <form
      method="post"
      noValidate
      aria-label="Convert a song"
      className={formStyles.form}
      onInput={() => {
        setProblem(undefined)
        onInput()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) submit(event.currentTarget)
      }}
    >
      <Field
        label="Song"
        name="file"
        type="file"
        autoComplete="off"
        accept={CONVERTED_EXTENSIONS.join(',')}
        required
        problem={problem?.field === 'file' ? problem.text : undefined}
      >
        MP3, WAV, PCM, AIFF, AAC, FLAC or ALAC. 10 MB and {CONVERTED_MINUTES_MAX} minutes at most.
      </Field>
      <Field
        label="Speed in percent"
        name="speed"
        type="number"
        autoComplete="off"
        min={MIN_SPEED_PERCENT}
        max={MAX_SPEED_PERCENT}
        step={1}
        required
        defaultValue={Math.round((settings.MAKER_SPEED - 1) * 100)}
        problem={problem?.field === 'speed' ? problem.text : undefined}
      >
        25 makes it a quarter faster, -15 slower. The pitch follows.
      </Field>
      <SelectField label="Format" name="format" value={format} options={formatOptions} onChange={setFormat} />
      <Button type="submit" variant="primary" size="big" busy={isBusy}>
        Convert
      </Button>
    </form>
  )
}

interface ProgressProps {
  view: ConversionView
  files: ReturnType<typeof useConvertedFiles>['data']
  onCancel: () => void
}

function Progress({ view, files = [], onCancel }: ProgressProps) {
  if (view.state === 'none') return null
  if (view.state === 'failed') return <Notice kind="bad">{view.message}</Notice>
  if (view.state === 'done') {
    return (
      <Notice kind="good">
        Your song has been converted!{' '}
        <a
          className={typeStyles.link}
          href={files.find(({ file_name, url }) => file_name === view.fileName && url !== undefined)?.url ?? view.url}
          download={view.fileName}
        >
          Click here to download your song!
        </a>
      </Notice>
    )
  }
  const label = view.state === 'uploading' ? 'Uploading' : view.isWaiting ? 'Waiting for its turn' : 'Converting'
  return (
    <div className={styles.progress}>
      <label className={styles.label}>
        <span role="status">{label}</span>
        <progress value={view.progress} max={1} />
      </label>
      <span className={typeStyles.mono}>{Math.floor(view.progress * 100)} %</span>
      <Button variant="tertiary" icon="close" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

function History({ files: { data, error, reload } }: { files: ReturnType<typeof useConvertedFiles> }) {
  return (
    <section aria-labelledby="history-heading">
      <SectionHeading id="history-heading" size="small">
        History
      </SectionHeading>
      {data === undefined ? (
        !error ? (
          <SkeletonRows count={3} />
        ) : error.kind === 'network' ? (
          <OfflineState title="Your history needs a connection." onRetry={reload} />
        ) : (
          <ErrorState title="Your history could not be loaded." text={error.message} onRetry={reload} />
        )
      ) : data.length === 0 ? (
        <p className={typeStyles.muted}>No history found.</p>
      ) : (
        <ul className={styles.list}>
          {data.map(({ id, file_name, file_size, created, url }) => (
            <li key={id}>
              <span className={styles.file}>
                <strong dir="auto">{file_name}</strong>
                <span className={typeStyles.muted}>
                  {formatBytes(file_size)}, {formatLongDate(created)}
                </span>
              </span>
              {url === undefined ? (
                <span className={typeStyles.muted}>Not on the server</span>
              ) : (
                <a className={typeStyles.link} href={url} download={file_name}>
                  Download
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
