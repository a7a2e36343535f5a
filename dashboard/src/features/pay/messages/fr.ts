import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Payer la facture {number}',
  pay: 'Payer {amount}',
  due: 'Montant dû',
  with: 'Payer avec',
  default: 'par défaut',
  expires: 'Expire {date}',
  expired: 'Expirée {date}',
  becomesDefault: '{name} devient aussi le moyen par défaut des prochaines factures.',
  credit: 'Votre avoir en paie d’abord {credit} ; {rest} sont débités.',
  addCard: 'Utiliser une autre carte',
  addFirst: 'Il n’y a pas encore de carte à débiter. Ajoutez-en une, puis payez avec elle.',
  addCharges:
    'Cette facture attend une carte : celle que vous ajoutez est débitée de {amount} aussitôt. Elle devient la carte par défaut.',
  addOther: 'Ajoutez une carte, puis payez avec elle. Elle devient la carte par défaut.',
  noAccount:
    'Cette facture se paie avec PayPal, et aucun compte PayPal n’est enregistré. Ajoutez-en un sous Moyens de paiement.',
  cancel: 'Annuler',
  close: 'Fermer',
  done: 'Terminé',
  requestId: 'Identifiant de la requête : {id}',
  nothingCharged: 'Rien n’a été débité.',
  notCharged: 'La facture {number} n’est pas payée',
  notSent: 'La banque est injoignable, et rien n’a été débité. Réessayez.',
  needsMethod: 'Il n’y a pas de carte à débiter. Ajoutez-en une, ou choisissez une carte enregistrée.',
  paid: { title: '{amount} payés', text: 'La facture {number} est payée. Merci.' },
  findingOut: {
    title: 'Vérification en cours',
    text:
      'La réponse au sujet de {amount} n’est pas encore arrivée. Paydesk continue de demander, ' +
      'même une fois cette page fermée, et rien n’est débité deux fois.',
  },
  confirm: {
    title: 'Confirmez auprès de votre banque',
    text: 'Votre banque vous demande de confirmer le paiement de {amount}. Rien n’est débité avant.',
    until: 'Il attend jusqu’au',
    action: 'Confirmer auprès de votre banque',
    question: 'Votre banque vous demande de confirmer le paiement de {amount}.',
  },
  debited: {
    title: 'Le prélèvement de {amount} a commencé',
    text: 'Votre banque l’exécute dans quelques jours. La facture sera alors payée, et cette page l’indiquera.',
  },
  review: {
    title: 'En cours d’examen',
    text:
      'La réponse de la banque ne correspond pas à la facture. L’exploitant de ce ' +
      'service l’examine ; rien d’autre n’est débité entre-temps.',
  },
  reasons: {
    refused: 'La banque a refusé le paiement sans dire pourquoi.',
    funds: 'Le solde est insuffisant pour ce paiement.',
    expired: 'La carte a expiré.',
    lost: 'La carte a été déclarée perdue.',
    stolen: 'La carte a été déclarée volée.',
    processing: 'La banque n’a pas pu traiter le paiement pour le moment.',
    details: 'La banque ne reconnaît pas le numéro ou le code de la carte.',
    confirm: 'La banque demande que le titulaire confirme le paiement.',
    limit: 'Le paiement dépasse une limite de la carte.',
    notSupported: 'La carte ne permet pas ce type de paiement.',
    closed: 'Le compte est fermé ou restreint.',
    notAllowed: 'La banque n’autorise pas ce paiement avec la carte.',
    notConfirmed: 'La banque n’a pas reçu votre confirmation.',
    confirmedLate: 'Votre confirmation n’est pas arrivée à temps.',
    gateway: 'La passerelle de paiement n’accepte pas cette carte.',
  },
  next: {
    otherCard: 'Utilisez une autre carte.',
    askBank: 'Demandez à votre banque, ou utilisez une autre carte.',
    later: 'Réessayez dans quelques minutes, ou utilisez une autre carte.',
    confirmAgain: 'Payez de nouveau et confirmez, ou utilisez une autre carte.',
    checkCard: 'Utilisez une autre carte, ou enregistrez la nouvelle.',
  },
};
