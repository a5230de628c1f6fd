import { createFileRoute } from '@tanstack/react-router'
import { PrivacyPage } from '../features/documents/document-page.tsx'
import { documentRoute } from '../hooks/document-route.ts'

export const Route = createFileRoute('/privacy')({
  ...documentRoute('privacy'),
  component: PrivacyPage,
})
