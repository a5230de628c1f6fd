import { createFileRoute } from '@tanstack/react-router'
import { PrivacyPage } from '../features/documents/document-page.tsx'
import { createDocumentRoute } from '../hooks/document-route.ts'

export const Route = createFileRoute('/privacy')({
  ...createDocumentRoute('privacy'),
  component: PrivacyPage,
})
