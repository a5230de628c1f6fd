import { createFileRoute } from '@tanstack/react-router'
import { ChangePasswordPage } from '../features/account/change-password-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/account/change-password')({
  head: createHeadForPage,
  component: ChangePasswordPage,
})
