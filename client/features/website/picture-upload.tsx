import formStyles from '../../components/account-form.module.css'
import { describeCallError } from '../../hooks/account-data.ts'
import { Button } from '../../ui/button.tsx'
import { FileField } from '../../ui/form-controls.tsx'
import { useUploadPicture } from './use-website.ts'

const pictureTexts = {
  banner: {
    label: 'Banner picture',
    hint: 'Shown at once, instead of the banner URL. Up to 10 MB; 1280 x 400 pixels fits best.',
    removal: 'Remove the banner picture',
  },
  portrait: {
    label: 'Profile picture',
    hint: 'Shown at once, beside your name and in link previews. Up to 10 MB; a square fits best.',
    removal: 'Remove the profile picture',
  },
}

interface PictureUploadProps {
  kind: keyof typeof pictureTexts
  isUploaded: boolean
  onChanged: () => void
}

/** A field for a picture of the website. The picture is uploaded as soon as it is chosen. */
export function PictureUpload({ kind, isUploaded, onChanged }: PictureUploadProps) {
  const { label, hint, removal } = pictureTexts[kind]
  const uploadPicture = useUploadPicture(kind)
  const { busy, result } = uploadPicture
  const sendFile = async (file: File | undefined) => {
    if (await uploadPicture.run(file)) onChanged()
  }
  return (
    <div className={formStyles.form}>
      <FileField
        label={label}
        name={kind}
        accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
        disabled={busy}
        problem={result?.error && describeCallError(result.error)}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          // The input is cleared, so that choosing the same file again fires a change event.
          event.currentTarget.value = ''
          if (file) void sendFile(file)
        }}
      >
        {busy ? 'Uploading...' : hint}
      </FileField>
      {isUploaded && (
        <Button variant="tertiary" icon="trash" busy={busy} onClick={() => void sendFile(undefined)}>
          {removal}
        </Button>
      )}
    </div>
  )
}
